"""Keywords of JSON Schema: bounds per type, and the strings and numbers that they allow."""
