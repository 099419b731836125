def measure(text, scales):
    try:
        class Scale(base_of(scales)):
            factor = scales.factor

            def of(self, size):
                return size * self.factor
    except kinds_of(scales):
        return 0.0
    except scales.Missing:
        Scale = scales.Default
    return Scale().of(len(text))
