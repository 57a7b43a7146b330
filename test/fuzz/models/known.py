"""Differences from other runtimes that are meant, with their reasons."""

import re

# format, pattern of the model's text, pattern of what differs, reason
ROWS = (
)


def find(form, text, what):
    for row_form, model, difference, reason in ROWS:
        if row_form == form and re.search(model, text) and re.search(
                difference, what):
            return reason
    return None
