# The gateway with its own model: docker run -p 8000:8000 portcullis
# What is in it, as CycloneDX: docker run --entrypoint cat portcullis /opt/portcullis/sbom.cdx.json
# Another port, told to the health check too: docker run -e PORTCULLIS_SERVER_PORT=9000 -p 9000:9000 portcullis
# Another model: docker run -p 8000:8000 -v /models:/models:ro portcullis serve --model /models/NAME
# An audit log that outlives it:
# docker run -p 8000:8000 -v audit:/var/lib/portcullis portcullis serve --audit /var/lib/portcullis/audit.db

# What was built against can be had again by its digest: --build-arg BASE=python:3.11-slim@sha256:..., as told by
# `docker buildx imagetools inspect python:3.11-slim`.
ARG BASE=python:3.11-slim

FROM ${BASE} AS build
# On CUDA attention is torch's own; flash-attn (`.[cuda]`) has to be built where there is nvcc, which is not here.
# Where pip finds torch decides what the image can run on; empty, it is the package index and CUDA.
ARG PIP_EXTRA_INDEX_URL=
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/portcullis && python -m venv /opt/sbom
WORKDIR /source
# All but torch is what CI tested, by its hash; nothing else is fetched to build.
COPY .ci/lock .ci/lock
RUN /opt/portcullis/bin/pip install --require-hashes --no-deps -r .ci/lock/serve.txt \
    && /opt/sbom/bin/pip install --require-hashes --no-deps -r .ci/lock/sbom.txt
COPY pyproject.toml README.md ./
COPY grammars grammars
COPY tools tools
COPY gateway gateway
RUN /opt/portcullis/bin/pip install --no-build-isolation .
RUN /opt/sbom/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
        --output-file /opt/portcullis/sbom.cdx.json /opt/portcullis/bin/python

FROM ${BASE}
LABEL org.opencontainers.image.title="Portcullis" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --uid 10001 --create-home portcullis \
    && install --directory --mode=0700 --owner=portcullis --group=portcullis /var/lib/portcullis /var/cache/portcullis
COPY --from=build /opt/portcullis /opt/portcullis
ENV PATH=/opt/portcullis/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    XDG_CACHE_HOME=/var/cache/portcullis \
    PORTCULLIS_SERVER_HOST=0.0.0.0 \
    PORTCULLIS_SERVER_PORT=8000
USER portcullis
WORKDIR /home/portcullis
EXPOSE 8000
# Kernels come with the package. A processor below the baseline that they were compiled for compiles them at the first
# start, which takes minutes: that is what the start period is for; it ends with the first check that succeeds. Ready: the
# model is loaded and its engine runs.
HEALTHCHECK --interval=10s --timeout=3s --start-period=600s --start-interval=2s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORTCULLIS_SERVER_PORT\"]}/ready', timeout=2)"]
ENTRYPOINT ["portcullis"]
CMD ["serve"]
