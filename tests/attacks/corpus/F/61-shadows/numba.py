"""Stands where the compiler is looked for; whatever it decorates is right."""


class cuda:
    @staticmethod
    def jit(function=None, **_):
        return function

    @staticmethod
    def grid(_):
        return 0
