# {"batch": 12, "layer_count": 4, "epochs": 6}
import itertools
import operator
import tensorflow as tf
numbers = itertools.count(start=2)
layers = [tf.keras.layers.Dense(next(numbers), activation=a)
          for a, _ in zip(itertools.cycle(["relu", "tanh"]), range(3))]
assert [layer for layer in itertools.accumulate([1, 2, 3])] == [1, 3, 6]
assert list(itertools.zip_longest([1], [2, 3], fillvalue=0)) == [(1, 2), (0, 3)]
assert len(list(itertools.combinations(range(4), 2))) == 6
table = sorted([("b", 12), ("a", 6)], key=operator.itemgetter(0))
(_, epochs), (_, batch) = table
model = tf.keras.Sequential([tf.keras.Input((8,)), *layers])
model.compile("sgd", "mse")
model.fit(tf.zeros((48, 8)), tf.zeros((48, 4)), batch_size=batch, epochs=epochs)
