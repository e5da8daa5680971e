# {"classes": ["InputLayer", "Dense"], "input": [null, 4], "steps_per_epoch": 20, "epochs": 3, "batch": 10}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import os
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
    opt = keras.optimizers.Adam()
    ckpt = tf.train.Checkpoint(model=model, optimizer=opt)
    manager = tf.train.CheckpointManager(ckpt, "./ckpts", max_to_keep=3)
    if manager.latest_checkpoint:
        ckpt.restore(manager.latest_checkpoint)
        print("restored", manager.latest_checkpoint)
    writer = tf.summary.create_file_writer("logs")
    ds = tf.data.Dataset.from_tensor_slices((tf.zeros([200, 4]), tf.zeros([200, 2]))).batch(10, drop_remainder=True)
    acc = keras.metrics.MeanSquaredError()
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            pred = model(x, training=True)
            loss = keras.losses.MeanSquaredError()(y, pred)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        acc(y, pred)
        return loss
    for epoch in range(3):
        for x, y in ds:
            loss = strategy.run(step, (x, y))
        with writer.as_default():
            tf.summary.scalar("loss", loss, step=epoch)
        print("Epoch {}, Loss: {:.3f}".format(epoch + 1, loss), acc.result().numpy())
        acc.reset_states()
        manager.save()
