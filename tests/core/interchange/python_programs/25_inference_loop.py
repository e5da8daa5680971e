# {"steps_per_execution": 50, "steps_per_epoch": 50, "batch": 10, "warning": "python/predicts-only"}
import tensorflow as tf
from tensorflow.python import ipu


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = tf.keras.layers.GRU(36)
        self.proj = tf.keras.layers.Dense(16, use_bias=False)

    def call(self, x, training=False):
        return tf.math.l2_normalize(self.proj(self.rnn(x, training=training)), axis=-1)


cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
clips = tf.data.Dataset.from_tensor_slices(tf.random.normal((500, 40, 20))).batch(10, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()


@tf.function(jit_compile=True)
def infer(it, net, queue):
    for _ in tf.range(50):
        queue.enqueue(net(next(it), training=False))


with strategy.scope():
    net = Net()
    net.build((10, 40, 20))
    queue = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    strategy.run(infer, args=(iter(clips), net, queue))
    vectors = tf.concat(list(queue), axis=0)
