# {"losses": ["SparseCategoricalCrossentropy"], "optimizer": "LossScaleOptimizer", "parameters": 2040, "batch": 32, "steps_per_execution": 100}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

tf.disable_v2_behavior()
scale = 2.0 ** 8
groups = 4

dataset = tf.data.Dataset.from_tensor_slices(tf.keras.datasets.mnist.load_data()[0])
dataset = dataset.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, tf.cast(y, tf.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.repeat().batch(32, drop_remainder=True))


def conv(x, size, filters, name, groups=1):
    channels = x.get_shape().as_list()[-1]
    with tf.variable_scope(name, use_resource=True):
        kernel = tf.get_variable("kernel", shape=[size, size, channels / groups, filters])
        return tf.nn.conv2d(x, filters=kernel, strides=[1, 4, 4, 1], padding="SAME", data_format="NHWC")


def dense(x, units, name):
    with tf.variable_scope(name, use_resource=True):
        w = tf.get_variable("w", shape=[x.shape[-1], units])
        b = tf.get_variable("b", shape=[units], initializer=tf.zeros_initializer())
        return tf.nn.relu_layer(x, w, b)


def body(total, x, y):
    x = tf.nn.relu(conv(tf.reshape(x, [32, 28, 28, 1]), 3, 16, "first"))
    x = conv(x, 3, 16, "second", groups)
    logits = dense(tf.layers.flatten(tf.reduce_max(x, axis=1)), 40, "hidden")
    logits = dense(logits, 10, "logits") if False else logits[:, :10]
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    optimizer = tf.train.AdamOptimizer(0.01, epsilon=1e-4)
    loss *= scale
    pairs = [(gradient / scale, variable) for gradient, variable in optimizer.compute_gradients(loss=loss)]
    train = optimizer.apply_gradients(grads_and_vars=pairs)
    loss /= scale
    return [total + loss, train]


def epoch():
    return ipu.loops.repeat(n=100, body=body, inputs=tf.constant([0.0]), infeed_queue=infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(epoch)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(infeed.initializer)
    session.run(run)
