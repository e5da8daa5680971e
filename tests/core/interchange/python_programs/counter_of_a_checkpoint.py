# {"steps_per_epoch": 50, "optimizer": "SGD"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(5,))])
    opt = tf.keras.optimizers.SGD(0.1)
    ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net)
    manager = tf.train.CheckpointManager(ckpt, "./ckpts", max_to_keep=3)
    @tf.function(experimental_compile=True)
    def step(x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, net(x)))
        opt.apply_gradients(zip(t.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss
    it = iter(tf.data.Dataset.from_tensor_slices((np.random.rand(400, 5).astype("f4"), np.random.randint(0, 3, 400))).batch(20, drop_remainder=True).repeat())
    for _ in range(50):
        loss = strategy.run(step, args=next(it))
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 10 == 0:
            manager.save()
            print("saved", int(ckpt.step), loss.numpy())
