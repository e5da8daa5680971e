// Functions of the IPU extensions as layers. Names and arguments: the Python API reference of the extensions.
#include "core/interchange/python/writer/layers/written_layers.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::string_view ctcLoss = R"(def call(self, inputs):
    data, labels, label_length, data_length = inputs
    if not self.time_major:
        data = tf.transpose(data, [1, 0, 2])
    loss = ipu.nn_ops.ctc_loss_v2 if self.from_logits else ipu.nn_ops.ctc_loss_with_log_probs
    labels = tf.cast(labels, tf.int32)
    label_length = tf.cast(label_length, tf.int32)
    data_length = tf.cast(data_length, tf.int32)
    return loss(labels, data, label_length, data_length, self.blank_index)
)";

constexpr std::string_view ctcBeamSearch = R"(def call(self, inputs):
    data, data_length = inputs
    if not self.time_major:
        data = tf.transpose(data, [1, 0, 2])
    search = ipu.nn_ops.ctc_beam_search_decoder
    if not self.from_logits:
        search = ipu.nn_ops.ctc_beam_search_decoder_with_log_probs
    return search(data, tf.cast(data_length, tf.int32), beam_width=self.beam_width,
                  top_paths=self.top_paths, blank_index=self.blank_index)
)";

constexpr std::string_view dynamicGru = R"(def build(self, input_shape):
    self.unit = ipu.rnn_ops.PopnnDynamicGRU(
        self.units, dtype=tf.as_dtype(self.dtype),
        weights_initializer=tf.keras.initializers.get(self.kernel_initializer),
        bias_initializer=tf.keras.initializers.get(self.bias_initializer),
        activation=self.activation, recurrent_activation=self.recurrent_activation,
        reset_after=self.reset_after)
    super().build(input_shape)

def call(self, inputs, training=None):
    sequence, sequence_length = inputs[:2]
    outputs, final = self.unit(sequence, sequence_length,
                               initial_state=inputs[2] if len(inputs) > 2 else None,
                               training=training, time_major=self.time_major)
    result = outputs if self.return_sequences else final
    return [result, final] if self.return_state else result
)";

constexpr std::string_view attentionGru = R"(def build(self, input_shape):
    self.unit = ipu.rnn_ops.PopnnAUGRU(
        self.units, dtype=tf.as_dtype(self.dtype),
        weights_initializer=tf.keras.initializers.get(self.kernel_initializer),
        bias_initializer=tf.keras.initializers.get(self.bias_initializer),
        activation=self.activation, recurrent_activation=self.recurrent_activation,
        reset_after=self.reset_after)
    super().build(input_shape)

def call(self, inputs, training=None):
    sequence, sequence_length, attention_score = inputs[:3]
    outputs, final = self.unit(sequence, sequence_length, attention_score,
                               initial_state=inputs[3] if len(inputs) > 3 else None,
                               training=training, time_major=self.time_major)
    result = outputs if self.return_sequences else final
    return [result, final] if self.return_state else result
)";
constexpr std::string_view gruArguments =
    "units activation recurrent_activation kernel_initializer bias_initializer reset_after return_sequences "
    "return_state time_major recurrent_initializer";

constexpr std::string_view sequenceSlice = R"(def call(self, inputs):
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if self.dst_rows is not None:
        inputs.insert(0, tf.zeros([self.dst_rows] + list(inputs[0].shape[1:]), inputs[0].dtype))
    if self.num_elems is not None:
        inputs += [self.num_elems, self.src_offsets, self.dst_offsets]
    return ipu.slicing_ops.sequence_slice(*inputs, self.zero_unused)
)";
constexpr std::string_view sequencePack = R"(def call(self, inputs):
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if self.dst_rows is not None:
        inputs.insert(0, tf.zeros([self.dst_rows] + list(inputs[0].shape[1:]), inputs[0].dtype))
    if self.num_elems is not None:
        inputs += [self.num_elems, self.dst_offsets]
    return ipu.slicing_ops.sequence_slice_pack(*inputs, self.zero_unused)
)";
constexpr std::string_view sequenceUnpack = R"(def call(self, inputs):
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if self.num_elems is not None:
        inputs += [self.num_elems, self.src_offsets]
    return ipu.slicing_ops.sequence_slice_unpack(*inputs, self.total_elements)
)";

constexpr std::string_view crossReplicaSum = R"(def call(self, inputs):
    return ipu.cross_replica_ops.cross_replica_sum(
        inputs, replica_group_size=self.replica_group_size or None)
)";
constexpr std::string_view crossReplicaMean = R"(def call(self, inputs):
    total = ipu.cross_replica_ops.cross_replica_sum(
        inputs, replica_group_size=self.replica_group_size or None)
    return total / (self.replica_group_size or NUM_REPLICAS)
)";
constexpr std::string_view allGather = R"(def call(self, inputs):
    return ipu.all_to_all_op.all_gather(inputs, self.replication_factor)
)";
constexpr std::string_view allToAll = R"(def call(self, inputs):
    rank = inputs.shape.rank
    return ipu.all_to_all_op.all_to_all(
        inputs, self.split_dimension % rank, self.concat_dimension % rank, self.number_of_replicas)
)";
constexpr std::string_view reduceScatter = R"(def call(self, inputs):
    is_mean = self.op == "COLLECTIVE_OP_MEAN"
    share = ipu.reduce_scatter_op.reduce_scatter(
        tf.reshape(inputs, [-1]), self.replication_factor,
        op="COLLECTIVE_OP_ADD" if is_mean else self.op)
    return share / self.replication_factor if is_mean else share
)";
constexpr std::string_view replicationIndex = R"(def call(self, inputs):
    return ipu.replication_ops.replication_index()
)";
constexpr std::string_view assumeEqual = R"(def call(self, inputs):
    return ipu.cross_replica_ops.assume_equal_across_replicas(inputs)
)";

constexpr std::string_view hostEmbedding = R"(def build(self, input_shape):
    spec = None
    if self.optimizer == "SGD":
        spec = ipu.embedding_ops.HostEmbeddingOptimizerSpec(self.learning_rate)
    if self.optimizer == "SGDGA":
        spec = ipu.embedding_ops.HostEmbeddingSGDGAOptimizerSpec(
            self.learning_rate, self.accumulation_factor)
    # The table stays in the host's memory: register() of it connects it to a run.
    self.table = ipu.embedding_ops.create_host_embedding(
        self.name, [self.input_dim, self.output_dim], tf.float32,
        partition_strategy=self.partition_strategy, optimizer_spec=spec,
        initializer=tf.keras.initializers.get(self.embeddings_initializer))
    super().build(input_shape)

def call(self, inputs):
    return self.table.lookup(inputs, clip_indices=self.clip_indices)
)";

constexpr std::string_view embedding = R"(def build(self, input_shape):
    self.embeddings = self.add_weight(
        "embeddings", (self.input_dim, self.output_dim),
        initializer=self.embeddings_initializer)
    super().build(input_shape)

def call(self, inputs):
    return ipu.embedding_ops.embedding_lookup(
        self.embeddings, inputs, serialization_factor=self.serialization_factor)
)";

constexpr std::string_view serialDense = R"(def build(self, input_shape):
    self.kernel = self.add_weight(
        "kernel", (input_shape[-1], self.units), initializer=self.kernel_initializer)
    if self.use_bias:
        self.bias = self.add_weight("bias", (self.units,), initializer=self.bias_initializer)
    super().build(input_shape)

def call(self, inputs):
    dimension = {"input_columns": "a_columns", "input_rows_kernel_columns": "a_rows_b_columns",
                 "kernel_rows": "b_rows"}[self.serialization_dimension]
    outputs = ipu.math_ops.serialized_matmul(
        tf.reshape(inputs, [-1, inputs.shape[-1]]), self.kernel,
        self.serialization_factor, dimension)
    outputs = tf.reshape(outputs, tf.concat([tf.shape(inputs)[:-1], [self.units]], 0))
    if self.use_bias:
        outputs = tf.nn.bias_add(outputs, self.bias)
    return tf.keras.activations.get(self.activation)(outputs)
)";
constexpr std::string_view serializedMatmul = R"(def call(self, inputs):
    a, b = inputs
    return ipu.math_ops.serialized_matmul(
        a, b, self.serialization_factor, self.serialization_dimension,
        transpose_a=self.transpose_a, transpose_b=self.transpose_b)
)";

constexpr std::string_view histogram = R"(def call(self, inputs):
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    levels = inputs.pop() if self.levels is None else self.levels
    values = tf.reshape(inputs[0], [-1])
    if len(inputs) == 1:
        return ipu.statistics_ops.histogram(
            values, levels, absolute_of_input=self.absolute_of_input)
    return ipu.statistics_ops.histogram_update(
        inputs[1], values, levels, absolute_of_input=self.absolute_of_input)
)";
constexpr std::string_view fixedWidthBins = R"(def call(self, inputs):
    return ipu.statistics_ops.fixed_width_bins(tf.reshape(inputs, [-1]), self.n_bins)
)";
constexpr std::string_view normaliseImage = R"(def call(self, inputs):
    return ipu.image_ops.normalise_image(
        inputs, self.channel_offsets, self.channel_scales, scale=self.scale)
)";

constexpr std::string_view nceLoss = R"(def build(self, input_shape):
    features = input_shape[0][-1]
    self.kernel = self.add_weight(
        "kernel", (self.num_classes, features), initializer=self.kernel_initializer)
    self.bias = self.add_weight("bias", (self.num_classes,), initializer=self.bias_initializer)
    super().build(input_shape)

def call(self, inputs):
    values, labels = inputs
    labels = tf.reshape(tf.cast(labels, tf.int64), [-1, self.num_true])
    return ipu.nn_ops.nce_loss(self.kernel, self.bias, labels, values, self.num_sampled,
                               self.num_classes, num_true=self.num_true)
)";
constexpr std::string_view sampledSoftmax = R"(def build(self, input_shape):
    features = input_shape[0][-1]
    self.kernel = self.add_weight(
        "kernel", (self.num_classes, features), initializer=self.kernel_initializer)
    self.bias = self.add_weight("bias", (self.num_classes,), initializer=self.bias_initializer)
    super().build(input_shape)

def call(self, inputs):
    values, labels = inputs
    labels = tf.reshape(tf.cast(labels, tf.int64), [-1, self.num_true])
    return ipu.nn_ops.sampled_softmax_loss(
        self.kernel, self.bias, labels, values, self.num_sampled, self.num_classes,
        num_true=self.num_true, seed=self.seed)
)";
constexpr std::string_view sampledArguments =
    "num_classes num_sampled num_true kernel_initializer bias_initializer";

constexpr std::string_view multiConv = R"(def call(self, inputs):
    @ipu.nn_ops.multi_conv
    def convolutions(*tensors):
        return [layer(x) for layer, x in zip(self.layers, tensors)]

    if len(self.layers) == 1:
        return convolutions(inputs)[0]
    return convolutions(*inputs)
)";
constexpr std::string_view outlined = R"(def call(self, inputs):
    def compute(*tensors):
        return self.layer(tensors[0] if len(tensors) == 1 else list(tensors))

    block = ipu.functional_ops.outlined_function(
        compute, unique_sharding=self.unique_sharding,
        keep_input_layouts=self.keep_input_layouts, name=self.function or None)
    return block(*inputs) if isinstance(inputs, (list, tuple)) else block(inputs)
)";

constexpr std::string_view userOperation = R"(def call(self, inputs):
    inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    shapes, types = [inputs[0].shape], [inputs[0].dtype]
    if self.output_shapes:
        shapes = [[inputs[0].shape[0]] + list(shape) for shape in self.output_shapes]
        types = self.output_types or [inputs[0].dtype] * len(shapes)
    outputs = ipu.custom_ops.cpu_user_operation(
        inputs, self.library_path, outs={"output_types": types, "output_shapes": shapes},
        op_name=self.op_name, attributes=self.attributes)
    return outputs[0] if len(shapes) == 1 else outputs
)";

constexpr std::string_view expression = R"(def call(self, inputs, training=None):
    inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    return self.formula(*inputs)
)";

constexpr std::array ipuLayers = {
    WrittenLayer{"AUGRU", gruArguments, attentionGru},
    WrittenLayer{"AllGather", "replication_factor", allGather},
    WrittenLayer{"AllToAll", "number_of_replicas split_dimension concat_dimension", allToAll},
    WrittenLayer{"AssumeEqualAcrossReplicas", "", assumeEqual},
    WrittenLayer{"CTCBeamSearch", "blank_index from_logits time_major beam_width top_paths", ctcBeamSearch},
    WrittenLayer{"CTCLoss", "blank_index from_logits time_major", ctcLoss},
    WrittenLayer{"CrossReplicaMean", "replica_group_size", crossReplicaMean},
    WrittenLayer{"CrossReplicaSum", "replica_group_size", crossReplicaSum},
    WrittenLayer{"DynamicGRU", gruArguments, dynamicGru},
    WrittenLayer{"ElementwiseExpression", "", expression, "tf.keras.layers.Layer", "expression"},
    WrittenLayer{"Embedding", "input_dim output_dim embeddings_initializer serialization_factor", embedding},
    WrittenLayer{"FixedWidthBins", "n_bins", fixedWidthBins},
    WrittenLayer{"Histogram", "levels absolute_of_input", histogram},
    WrittenLayer{"HostEmbedding",
                 "input_dim output_dim embeddings_initializer partition_strategy optimizer learning_rate "
                 "accumulation_factor clip_indices",
                 hostEmbedding},
    WrittenLayer{"MultiConv", "layers", multiConv},
    WrittenLayer{"NceLoss", sampledArguments, nceLoss},
    WrittenLayer{"NormaliseImage", "channel_offsets channel_scales scale", normaliseImage},
    WrittenLayer{"OutlinedFunction", "layer function unique_sharding keep_input_layouts", outlined},
    WrittenLayer{"ReduceScatter", "replication_factor op", reduceScatter},
    WrittenLayer{"ReplicationIndex", "", replicationIndex},
    WrittenLayer{"SampledSoftmaxLoss",
                 "num_classes num_sampled num_true seed kernel_initializer bias_initializer", sampledSoftmax},
    WrittenLayer{"SequenceSlice", "zero_unused dst_rows num_elems src_offsets dst_offsets", sequenceSlice},
    WrittenLayer{"SequenceSlicePack", "zero_unused dst_rows num_elems dst_offsets", sequencePack},
    WrittenLayer{"SequenceSliceUnpack", "total_elements num_elems src_offsets", sequenceUnpack},
    WrittenLayer{"SerialDense",
                 "units serialization_factor serialization_dimension activation use_bias kernel_initializer "
                 "bias_initializer",
                 serialDense},
    WrittenLayer{"SerializedMatmul", "serialization_factor serialization_dimension transpose_a transpose_b",
                 serializedMatmul},
    WrittenLayer{"UserOperation", "library_path op_name attributes output_shapes output_types",
                 userOperation},
};

} // namespace

std::span<const WrittenLayer> writtenIpuLayers() {
    return ipuLayers;
}

const WrittenLayer* findWrittenLayer(std::string_view className) {
    for (const auto& layers : {writtenIpuLayers(), writtenKerasLayers()})
        if (const auto found = std::ranges::find(layers, className, &WrittenLayer::className);
            found != layers.end())
            return &*found;
    return nullptr;
}

} // namespace core
