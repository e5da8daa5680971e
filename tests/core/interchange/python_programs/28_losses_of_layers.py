# {"classes": ["InputLayer", "InputLayer", "InputLayer", "InputLayer", "Dense", "CTCLoss"], "optimizer": "SGD", "loss": "LossFunction"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

data = tf.data.Dataset.from_tensors({"sound": tf.zeros([20, 3, 5]), "text": tf.zeros([3, 4], tf.int32),
                                     "text_length": tf.zeros([3], tf.int32), "length": tf.zeros([3], tf.int32)})
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(data.repeat())


def body(loss, sound, text, text_length, length):
    logits = tf.layers.dense(sound, 9)
    loss = tf.reduce_mean(ipu.nn_ops.ctc_loss_v2(text, logits, text_length, length, 8))
    with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
        return tf.identity(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(5, body, [0.0], queue))
