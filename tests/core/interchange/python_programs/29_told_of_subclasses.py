# {"layer_count": 4, "activations": ["tanh"], "classes": ["InputLayer", "Dense", "Dropout", "Dense"]}
import tensorflow as tf
class Block:
    registry = {}
    def __init_subclass__(cls, key=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Block.registry[key or cls.__name__.lower()] = cls
    def __init__(self, width):
        self.width = width
    @classmethod
    def made(cls, width):
        return [cls(width)]
class DenseBlock(Block, key="dense"):
    def layers(self):
        yield tf.keras.layers.Dense(self.width, activation="tanh")
    @classmethod
    def made(cls, width):
        return super().made(width * 2)
class DropBlock(Block):
    def layers(self):
        yield tf.keras.layers.Dropout(0.25)
stack = [tf.keras.Input((10,))]
for key, width in [("dense", 32), ("dropblock", 16)]:
    for block in Block.registry[key].made(width):
        assert block.width in (64, 16)
        stack.extend(block.layers())
model = tf.keras.Sequential([*stack, tf.keras.layers.Dense(7)])
