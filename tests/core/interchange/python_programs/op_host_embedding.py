# {"classes": ["InputLayer", "HostEmbedding"], "config": [1, "accumulation_factor", 4]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((5,), dtype='int32')
x = i
e = ipu.embedding_ops.create_host_embedding('table', [100, 16], tf.float32, optimizer_spec=ipu.embedding_ops.HostEmbeddingSGDGAOptimizerSpec(0.1, 4))
x = e.lookup(x)
inputs = [i]
model = keras.Model(inputs, x)
