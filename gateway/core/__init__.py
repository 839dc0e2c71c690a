"""Requests and answers, independent of the dialect: types without behaviour, to which every dialect maps."""
