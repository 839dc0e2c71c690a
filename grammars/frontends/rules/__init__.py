"""Context-free rules, which Lark and GBNF grammars share: a small syntax tree, its analysis, its emission."""
