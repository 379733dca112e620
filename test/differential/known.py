"""Differences between Tarn and the reference that are meant: docs/differences.md tells them, this file recognises them.

Each rule is a reason and a function of the statement and both answers. Most meant differences need no rule, because the
generator makes no program that would show them.
"""

RULES = []


def rule(why):
    def add(function):
        RULES.append((why, function))
        return function
    return add


def reason(sql, tarn, reference):
    """Why these answers may differ; None if they may not."""
    return next((why for why, function in RULES if function(sql, tarn, reference)), None)
