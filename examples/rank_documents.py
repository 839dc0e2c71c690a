"""Documents by how well they fit a query, and the vectors that say so.

Start `portcullis serve --model PATH` with an encoder or cross-encoder, then run this. Any model can embed; one that was
trained for it ranks well.
"""

import argparse

import httpx
import openai

QUERY = "When does the train leave?"
DOCUMENTS = ("The lamp costs 30 euros.", "The train to Lima leaves at nine.", "A recipe for bread.")


def ranked(url: str, model: str, query: str, documents: list[str]) -> list[tuple[float, str]]:
    """Scores and documents, the best first."""
    body = {"model": model, "query": query, "documents": documents}
    reply = httpx.post(f"{url}/rerank", json=body).raise_for_status().json()
    return [(each["relevance_score"], documents[each["index"]]) for each in reply["results"]]


def main() -> None:
    """Rank the documents, and embed the best one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", nargs="*", default=DOCUMENTS)
    parser.add_argument("--query", default=QUERY)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()

    scores = ranked(arguments.base_url, arguments.model, arguments.query, list(arguments.documents))
    for score, document in scores:
        print(f"{score:+.3f}  {document}")
    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    vector = client.embeddings.create(model=arguments.model, input=scores[0][1]).data[0].embedding
    print(f"the best one as a vector of {len(vector)} numbers")


if __name__ == "__main__":
    main()
