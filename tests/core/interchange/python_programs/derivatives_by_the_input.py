# {"optimizer": "Adam", "parameters": 5081, "steps_per_epoch": 2000, "warning": "python/ignored", "says": "these derivatives"}
"""Physics-informed network for u_t = alpha * u_xx on one IPU (custom training loop)."""
import math

import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

ALPHA = 0.01 / math.pi
N_COLLOCATION, N_DATA = 1024, 256
STEPS, PER_EXECUTION = 2000, 100

rng = np.random.default_rng(42)


def mlp(width=40, depth=4):
    model = tf.keras.Sequential(name="u")
    model.add(tf.keras.layers.InputLayer(input_shape=(2,)))
    for _ in range(depth):
        model.add(tf.keras.layers.Dense(width, activation="tanh", kernel_initializer="glorot_normal"))
    model.add(tf.keras.layers.Dense(1))
    return model


def collocation():
    tx = rng.uniform([0.0, -1.0], [1.0, 1.0], size=(N_COLLOCATION, 2)).astype(np.float32)
    x0 = rng.uniform(-1.0, 1.0, size=(N_DATA, 1))
    tx0 = np.concatenate([np.zeros_like(x0), x0], axis=1).astype(np.float32)
    u0 = -np.sin(np.pi * x0).astype(np.float32)
    return tx, tx0, u0


def residual(model, tx):
    t, x = tx[:, 0:1], tx[:, 1:2]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch([t, x])
            u = model(tf.concat([t, x], axis=1))
        u_t = inner.gradient(u, t)
        u_x = inner.gradient(u, x)
    u_xx = outer.gradient(u_x, x)
    return u_t - ALPHA * u_xx


def train_step(model, optimizer, tx, tx0, u0):
    with tf.GradientTape() as tape:
        loss_f = tf.reduce_mean(tf.square(residual(model, tx)))
        loss_u = tf.reduce_mean(tf.square(u0 - model(tx0)))
        loss = loss_u + loss_f
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function(jit_compile=True)
def train_loop(model, optimizer, tx, tx0, u0):
    loss = tf.constant(0.0)
    for _ in tf.range(PER_EXECUTION):
        loss = train_step(model, optimizer, tx, tx0, u0)
    return loss


config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    net = mlp()
    opt = tf.keras.optimizers.Adam(1e-3)
    points = [tf.constant(a) for a in collocation()]
    for step in range(0, STEPS, PER_EXECUTION):
        loss = strategy.run(train_loop, args=(net, opt, *points))
        print(f"{step:6d} {float(loss):.3e}")
