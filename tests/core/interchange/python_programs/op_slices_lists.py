# {"classes": ["InputLayer", "Dense", "SequenceSlice", "SequenceSliceUnpack", "SequenceSlicePack"], "config": [2, "dst_offsets", [0, 4]]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python.framework.ops import array_ops
from tensorflow.python.ipu.ops.slicing_ops import sequence_slice
from tensorflow.python.ipu.ops.slicing_ops import sequence_slice_pack
from tensorflow.python.ipu.ops.slicing_ops import sequence_slice_unpack


class Slices(keras.layers.Layer):
    def call(self, src):
        dst = array_ops.zeros([6, 6])
        dst = sequence_slice(dst, src, [2, 2], [2, 1], [0, 4], False)
        src = sequence_slice_unpack(dst, tf.constant([2, 2]), [2, 1], False, 4)
        return sequence_slice_pack(tf.zeros([6, 6]), src, [2, 2], [2, 1], False)


i = keras.Input((6,), batch_size=6)
x = keras.layers.Dense(6)(i)
model = keras.Model(i, Slices()(x))
