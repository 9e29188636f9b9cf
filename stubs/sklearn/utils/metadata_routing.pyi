from typing import Any

class MetadataRequest:
    split: Any
    def __init__(self, owner: object) -> None: ...
