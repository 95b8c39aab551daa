"""Scenes: what is drawn for the screenshots, with small made data. A file here for each part of the window.

Each file has ``SCENES``; its entries are found by their being there.
"""

from companion.ui.scenes.scene import Scene, StillFace, StillLook, all_scenes, page_scene, still_bridge

__all__ = ["Scene", "StillFace", "StillLook", "all_scenes", "page_scene", "still_bridge"]
