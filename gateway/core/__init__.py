"""The gateway's own words for a request and an answer. Types without behaviour; every wire dialect maps to them."""
