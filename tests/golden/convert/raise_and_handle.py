def parse(text, table):
    with open(text) as file:
        try:
            return table[file.read()]
        except (KeyError, OSError) as error:
            raise ValueError(text) from error
        except:
            raise
        finally:
            print("read")
