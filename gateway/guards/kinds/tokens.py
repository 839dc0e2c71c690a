"""Tokens of issuers that mark theirs, for `secrets`: the mark and what follows it, as the issuers publish it.

A mark begins the token, so that no other word is held back. Tokens without one are found where a name tells what they
are.
"""

from __future__ import annotations

_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_WORD = "[A-Za-z0-9_-]"
_BASE64 = "[A-Za-z0-9+/]"
_HEX = "[0-9A-Fa-f]"
_ANY = "[A-Za-z0-9]"

ISSUED: dict[str, str] = {
    "1password": rf"A3-[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}"
    rf"|ops_eyJ{_BASE64}{{80,}}={{0,3}}",
    "adobe": rf"p8e-{_ANY}{{32}}",
    "age": "AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}",
    "alibaba": rf"LTAI{_ANY}{{20}}",
    "anthropic": rf"sk-ant-[a-z]{{3,5}}[0-9]{{2}}-{_WORD}{{40,}}",
    "artifactory": rf"AKCp{_ANY}{{69}}|cmVmd{_ANY}{{59}}",
    "atlassian": r"ATATT3[A-Za-z0-9_=-]{60,250}",
    "authress": r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\."
    r"[A-Za-z0-9+/_=-]{30,120}",
    "clickhouse": rf"4b1d{_ANY}{{38}}",
    "clojars": rf"CLOJARS_{_ANY}{{60}}",
    "cloudflare": r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}",
    "databricks": r"dapi[0-9a-f]{32}(?:-[0-9])?",
    "defined networking": r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}",
    "digitalocean": "do[opr]_v1_[0-9a-f]{64}",
    "doppler": rf"dp\.(?:pt|st|ct|sa|scim|audit)\.{_ANY}{{40,44}}",
    "duffel": r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}",
    "dynatrace": rf"dt0[a-z][0-9]{{2}}\.{_ANY}{{24}}\.{_ANY}{{64}}",
    "easypost": rf"EZ[AT]K{_ANY}{{54}}",
    "facebook": rf"EAA[A-Z]{_ANY}{{100,}}|[0-9]{{15,16}}\|{_WORD}{{27}}",
    "flutterwave": rf"FLW(?:PUB|SEC)K(?:_TEST)?-(?:{_ANY}{{12}}|{_ANY}{{32}}-X)",
    "fly.io": rf"fo1_{_WORD}{{43}}|fm(?:1[ar]|2)_{_BASE64}{{80,}}={{0,3}}",
    "frame.io": "fio-u-[A-Za-z0-9_=-]{64}",
    "gitlab": rf"gl(?:pat|dt|rt|ft|cbt|ptt|imt|oas|soat|ffct|agent)-[A-Za-z0-9_.-]{{20,320}}"
    rf"|GR1348941{_WORD}{{20}}|_gitlab_session=[0-9a-z]{{32}}",
    "gocardless": r"live_[A-Za-z0-9_=-]{40}",
    "grafana": rf"gl[cs]a?_{_BASE64}{{32,400}}(?:_{_HEX}{{8}}|={{0,3}})|eyJrIjoi{_ANY}{{70,400}}={{0,3}}",
    "harness": rf"[ps]at\.{_WORD}{{22}}\.{_ANY}{{24}}\.{_ANY}{{20}}",
    "heroku": rf"HRKU-AA{_WORD}{{58}}",
    "huggingface": "(?:hf|api_org)_[A-Za-z]{34}",
    "infracost": rf"ico-{_ANY}{{32}}",
    "intra42": "s-s4t2(?:ud|af)-[0-9a-f]{64}",
    "linear": rf"lin_(?:api|oauth)_{_ANY}{{40,64}}",
    "mailgun": r"(?:pub)?key-[0-9a-f]{32}",
    "mapbox": rf"[ps]k\.{_ANY}{{60,100}}\.{_WORD}{{22}}",
    "new relic": rf"NR(?:AK|II)-[A-Za-z0-9-]{{27,32}}|NRJS-{_HEX}{{19}}",
    "notion": rf"ntn_[0-9]{{11}}{_ANY}{{35}}",
    "npm": rf"npm_{_ANY}{{36}}",
    "octopus": "API-[A-Z0-9]{26}",
    "openai": rf"sk-{_WORD}{{20,}}T3BlbkFJ{_WORD}{{20,}}",
    "openshift": rf"sha256~{_WORD}{{43}}",
    "perplexity": rf"pplx-{_ANY}{{48}}",
    "plaid": rf"access-(?:sandbox|development|production)-{_UUID}",
    "planetscale": r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}",
    "postman": rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}",
    "prefect": rf"pn[bu]_{_ANY}{{36}}",
    "pulumi": "pul-[0-9a-f]{40}",
    "pypi": rf"pypi-AgE{_WORD}{{50,}}",
    "readme": "rdme_[0-9a-z]{70}",
    "rubygems": "rubygems_[0-9a-f]{48}",
    "scalingo": rf"tk-us-{_WORD}{{48}}",
    "sendgrid": rf"SG\.{_WORD}{{22}}\.{_WORD}{{43}}",
    "sendinblue": rf"xkeysib-[0-9a-f]{{64}}-{_ANY}{{16}}",
    "sentry": rf"sntryu_[0-9a-f]{{64}}|sntrys_eyJ{_BASE64}{{40,400}}={{0,2}}_{_BASE64}{{43}}",
    "settlemint": rf"sm_[aps]at_{_ANY}{{16}}",
    "shippo": rf"shippo_(?:live|test)_{_HEX}{{40}}",
    "shopify": rf"shp(?:at|ca|pa|ss)_{_HEX}{{32}}",
    "slack webhook": rf"hooks\.slack\.com/(?:services|workflows|triggers)/{_BASE64}{{43,80}}",
    "sourcegraph": rf"sgp_(?:(?:{_HEX}{{16}}|local)_)?{_HEX}{{40}}",
    "square": rf"(?:EAAA|sq0[a-z]{{3}}-){_WORD}{{22,60}}",
    "teams webhook": rf"webhook\.office\.com/webhookb2/{_UUID}@{_UUID}/IncomingWebhook/{_ANY}{{32}}/{_UUID}",
    "telegram": rf"[0-9]{{5,16}}:A{_WORD}{{34}}",
    "twilio": "SK[0-9a-f]{32}",
    "twitter": "A{22}[A-Za-z0-9%]{80,100}",
    "typeform": r"tfp_[A-Za-z0-9_=.-]{59}",
    "vault": rf"hv[bsr]\.{_WORD}{{90,300}}",
    "yandex": rf"t1\.{_WORD}+={{0,2}}\.{_WORD}{{86}}={{0,2}}|AQVN{_WORD}{{35,38}}",
}
"""Patterns by issuer; more than one where there are several kinds of tokens."""
