# {"classes": ["InputLayer", "TFOpLambda", "Dense", "TFOpLambda", "Dense"], "activations": ["relu"], "input": [null, 4, 3]}
import enum
import numpy as np
import tensorflow as tf
class Act(str, enum.Enum):
    RELU = "relu"
A = np.zeros((4, 4), dtype=np.float32)
for i in range(4):
    A[i, (i + 1) % 4] = A[(i + 1) % 4, i] = 1.0
A = A + np.eye(4, dtype=np.float32)
D = np.diag(1.0 / np.sqrt(A.sum(axis=1)))
A = (D @ A @ D).astype(np.float32)
assert np.sum([1, 2, 3]) == 6 and np.max([4, 2]) == 4 and np.linspace(0, 1, 3).mean() == 0.5
inputs = tf.keras.Input((4, 3))
x = tf.matmul(tf.constant(A), inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(np.sum([1, 2]), activation=Act.RELU)(x))
