# {"classes": ["InputLayer", "Dense"], "input": [8, 16], "batch": 8, "steps_per_execution": 100, "optimizer": "SGD", "loss": "MeanSquaredError"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
data = tf.data.Dataset.from_tensor_slices({"x": np.zeros((64, 16), np.float32), "y": np.zeros((64, 4), np.float32)})
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
class Graph:
    def step(self, **features):
        loss = tf.losses.mean_squared_error(features["y"], tf.layers.dense(features["x"], 4))
        return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue({"loss": loss})
    def loop(self):
        return ipu.loops.repeat(100, self.step, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(Graph().loop)
