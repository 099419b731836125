"""What operators on texts compute, in plain Python."""


def hash_of(text):
    """A number that is not negative, the same for equal texts: FNV-1a of 64 bits of their UTF-8, without its sign."""
    mixed = 0xcbf29ce484222325
    for byte in text.encode("utf-8", "surrogateescape"):
        mixed = (mixed ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return mixed >> 1
