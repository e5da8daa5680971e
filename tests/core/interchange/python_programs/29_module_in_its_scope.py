# {"classes": ["InputLayer", "Dense", "TFOpLambda", "Dense"], "batch": 16, "steps_per_epoch": 200, "no_warning": "python/ignored"}
import tensorflow as tf
class Linear(tf.Module):
    def __init__(self, taken, made, activation=None, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([taken, made], stddev=0.1), name="w")
        self.b = tf.Variable(tf.zeros([made]), name="b")
        self.activation = activation or (lambda x: x)
    def __call__(self, x):
        return self.activation(x @ self.w + self.b)
class Net(tf.Module):
    def __init__(self, sizes):
        super().__init__(name="net")
        with self.name_scope:
            self.parts = [Linear(a, b, tf.nn.relu if i == 0 else None)
                          for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:]))]
    @tf.Module.with_name_scope
    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x
net = Net([100, 50, 3])
optimizer = tf.optimizers.Adam(3e-4)
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x)))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
data = tf.data.Dataset.from_tensor_slices((tf.zeros([3200, 100]), tf.zeros([3200], tf.int32)))
for x, y in data.batch(16, drop_remainder=True):
    step(x, y)
