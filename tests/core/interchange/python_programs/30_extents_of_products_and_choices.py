# {"classes": ["InputLayer", "Flatten", "Dense"], "config": [2, "units", 1171], "steps_per_epoch": 8, "batch": 8}
import numpy as np
import tensorflow as tf

sizes = []


def known(array, *shape):
    assert array.shape == shape, shape
    sizes.extend(array.shape)


rng = np.random.default_rng(0)
a = rng.normal(size=(64, 6, 4))
m = rng.random((8, 6))
q = np.random.rand(8, 8)
v = rng.uniform(size=8)
known(np.power(q, 2), 8, 8)
known(np.identity(8) + q, 8, 8)
known(rng.power(3.0, 5), 5)
known(np.random.power(3.0, size=(2, 3)), 2, 3)
known(np.einsum("bij,jk->bik", a, np.ones((4, 5))), 64, 6, 5)
known(np.einsum("ij,j", q, v), 8)
known(np.einsum("...ij->...ji", a), 64, 4, 6)
known(np.dot(a, np.ones((4, 3))), 64, 6, 3)
known(m.T.dot(m), 6, 6)
known(np.matmul(q, v), 8)
known(np.tensordot(a, a, axes=([1, 2], [1, 2])), 64, 64)
known(np.outer(v, m), 8, 48)
known(np.kron(m, q), 64, 48)
known(np.linalg.norm(m, axis=1, keepdims=True), 8, 1)
known(np.linalg.inv(q), 8, 8)
known(np.cov(m), 8, 8)
known(np.cov(m, rowvar=False), 6, 6)
known(np.linalg.svd(m, full_matrices=False)[0], 8, 6)
known(np.log1p(np.expm1(np.isnan(a))), 64, 6, 4)
known(np.where(m > 0.5, m, 0), 8, 6)
known(np.logical_not(np.logical_and(m > 0, v[:, None] > 0)), 8, 6)
known(np.digitize(m, [0.1, 0.5]), 8, 6)
known(np.argsort(np.sort(m, axis=0), axis=1), 8, 6)
known(m.var(axis=0), 6)
known(np.median(m, axis=1), 8)
known(np.prod(m, axis=1), 8)
known(np.percentile(m, [10, 90], axis=0), 2, 6)
order = np.random.permutation(64)
known(a[order], 64, 6, 4)
known(a[order[:16]], 16, 6, 4)
known(a[:, :, [0, 2]], 64, 6, 2)
known(a[np.arange(64), rng.integers(0, 6, 64)], 64, 4)
known(m[[True, False] * 4], 4, 6)
known(np.eye(8)[rng.integers(0, 8, size=64)], 64, 8)
known(np.eye(8)[np.argmax(m, axis=1)], 8, 8)
known(np.eye(5)[(v * 5).astype(int)], 8, 5)
known(q[:2, 2:5], 2, 3)
# How many a mask keeps only a run knows.
print(a[a[:, 0, 0] > 0].shape)

labels = np.eye(3)[np.argmax(a[:, :3, 0], axis=1)]
model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=a.shape[1:]), tf.keras.layers.Dense(sum(sizes))])
model.compile("sgd", "mse")
model.fit(a[order], labels[order], batch_size=8)
