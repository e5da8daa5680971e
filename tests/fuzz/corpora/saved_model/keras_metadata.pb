
±root"_tf_keras_sequential*’{
  "class_name": "Sequential",
  "config": {
    "name": "mlp",
    "layers": [
      {
        "class_name": "InputLayer",
        "config": {
          "name": "input",
          "dtype": "float32",
          "batch_input_shape": [
            null,
            4
          ],
          "sparse": false,
          "ragged": false
        }
      },
      {
        "class_name": "Dense",
        "config": {
          "name": "hidden1",
          "trainable": true,
          "dtype": "float32",
          "units": 3,
          "activation": "relu"
        }
      },
      {
        "class_name": "Dense",
        "config": {
          "name": "hidden2",
          "trainable": true,
          "dtype": "float32",
          "units": 3,
          "activation": "relu"
        }
      },
      {
        "class_name": "Dense",
        "config": {
          "name": "logits",
          "trainable": true,
          "dtype": "float32",
          "units": 2
        }
      }
    ]
  },
  "keras_version": "2.4.0",
  "backend": "tensorflow"
}
