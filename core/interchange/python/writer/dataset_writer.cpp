// Programs that read a dataset.
#include "core/interchange/python/writer/dataset_writer.h"

#include "core/catalogue/loss_labels.h"
#include "core/catalogue/losses.h"
#include "core/model/graph/infer_shapes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

/// A Python tuple: one entry has no parentheses of its own.
std::string groupText(const std::vector<std::string>& entries) {
    return entries.size() == 1 ? entries.front() : fmt::format("({})", fmt::join(entries, ", "));
}

/// A list of numbers as a tuple with `-1` or the like in front.
std::string shapeText(std::string_view first, const Json& extents) {
    std::string text(first);
    for (const Json& extent : extents)
        text += (text.empty() ? "" : ", ") + extent.dump();
    return fmt::format("({}{})", text, extents.empty() ? "," : "");
}

class DatasetWriter {
public:
    DatasetWriter(PythonText& text, const DatasetProgram& program)
        : m_text(text)
        , m_program(program)
        , m_keys(program.dataset != nullptr ? program.dataset->parameters : Json::object()) {}

    void write() {
        m_text.line();
        m_text.line();
        m_text.line(fmt::format("def {}():", m_program.name));
        m_text.indent();
        writeSamples();
        writeWeights();
        if (isOn("shuffle", false))
            m_text.line("dataset = dataset.shuffle(10000)");
        m_text.line(fmt::format("dataset = dataset.batch(BATCH_SIZE, drop_remainder={})",
                                isOn("drop_remainder", true) ? "True" : "False"));
        m_text.line(m_program.isRepeated ? "return dataset.repeat().prefetch(16)"
                                         : "return dataset.prefetch(16)");
        m_text.dedent();
    }

private:
    struct Kind {
        std::string_view name;
        void (DatasetWriter::*write)();
    };

    void writeSamples() {
        static constexpr Kind kinds[]{
            {"idx", &DatasetWriter::writeIdx},
            {"csv", &DatasetWriter::writeCsv},
            {"npy", &DatasetWriter::writeNpy},
            {"npz", &DatasetWriter::writeNpz},
            {"image_folder", &DatasetWriter::writePictures},
            {"cifar10", &DatasetWriter::writeCifar},
            {"text", &DatasetWriter::writeText},
        };
        const std::string kind = m_program.dataset != nullptr ? m_program.dataset->kind : "";
        const auto known = std::ranges::find(kinds, kind, &Kind::name);
        if (known != std::end(kinds))
            (this->*known->write)();
        else
            writeSynthetic();
    }

    // ---- keys -------------------------------------------------------------------------------------------

    [[nodiscard]] bool has(const char* key) const { return m_keys.contains(key); }
    /// The value of a key, where the program has it.
    [[nodiscard]] std::string named(const char* key) const {
        return fmt::format("{}[\"{}\"]", m_program.constant, key);
    }
    /// One expression for each text of a key.
    [[nodiscard]] std::vector<std::string> namedTexts(const char* key) const {
        if (!has(key))
            return {};
        if (!m_keys.at(key).is_array())
            return {named(key)};
        std::vector<std::string> list;
        for (std::size_t i = 0; i < m_keys.at(key).size(); ++i)
            list.push_back(fmt::format("{}[{}]", named(key), i));
        return list;
    }
    [[nodiscard]] bool isOn(const char* key, bool byDefault) const { return m_keys.value(key, byDefault); }
    /// Extents of the model's first input without the batch axis; those unknown as None.
    [[nodiscard]] Json inputShape(std::size_t index = 0) const {
        Json shape = Json::array();
        if (m_program.model == nullptr || index >= m_program.model->inputs.size())
            return shape;
        const Json& config = m_program.model->layer(m_program.model->inputs[index].invocation).config;
        for (const char* key : {"batch_input_shape", "batch_shape"})
            if (config.contains(key) && config[key].is_array() && !config[key].empty())
                shape = Json(config[key].begin() + 1, config[key].end());
        return shape;
    }

    // ---- arrays -----------------------------------------------------------------------------------------

    /// `name` as the dataset's keys "shape" and "scale" want it.
    void writeTransform(const std::string& name) {
        if (has("shape"))
            m_text.line(fmt::format("{0} = {0}.reshape({1})", name, shapeText("-1", m_keys["shape"])));
        if (has("scale"))
            m_text.line(fmt::format("{0} = ({0} / {1}).astype(\"float32\")", name, named("scale")));
    }
    /// Inputs are their own targets where there are none.
    void writeSlices(const std::vector<std::string>& inputs, const std::vector<std::string>& targets) {
        m_text.line(fmt::format("dataset = tf.data.Dataset.from_tensor_slices(({}, {}))", groupText(inputs),
                                groupText(targets.empty() ? inputs : targets)));
    }

    void writeIdx() {
        const bool hasLabels = has("labels");
        m_text.line(fmt::format("images = np.fromfile({}, dtype=\"u1\")[16:]", named("images")));
        const Json shape = has("shape") ? m_keys["shape"] : inputShape();
        m_text.line(fmt::format("images = images.reshape({}).astype(\"float32\")", shapeText("-1", shape)));
        if (has("scale"))
            m_text.line(fmt::format("images = images / {}", named("scale")));
        if (hasLabels)
            m_text.line(
                fmt::format("labels = np.fromfile({}, dtype=\"u1\")[8:].astype(\"int32\")", named("labels")));
        writeSlices({"images"}, hasLabels ? std::vector<std::string>{"labels"} : std::vector<std::string>{});
    }

    void writeCsv() {
        const bool hasHeader = isOn("header", true);
        const std::int64_t column = m_keys.value("label_column", std::int64_t{-1});
        m_text.line(
            fmt::format("rows = np.loadtxt({}, delimiter=\",\", skiprows={}, ndmin=2, dtype=\"float32\")",
                        named("file"), hasHeader ? 1 : 0));
        m_text.line(fmt::format("inputs = np.delete(rows, {}, axis=1)", column));
        writeTransform("inputs");
        m_text.line(fmt::format("labels = rows[:, {}]", column));
        writeSlices({"inputs"}, {"labels"});
    }

    /// Loads arrays, each by an expression, into names of one stem.
    std::vector<std::string> writeArrays(const std::string& stem,
                                         const std::vector<std::string>& expressions) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < expressions.size(); ++i) {
            names.push_back(expressions.size() == 1 ? stem : fmt::format("{}_{}", stem, i));
            m_text.line(fmt::format("{} = {}", names.back(), expressions[i]));
        }
        return names;
    }

    void writeNpy() {
        const auto loads = [&](const char* key) {
            std::vector<std::string> expressions;
            for (const std::string& file : namedTexts(key))
                expressions.push_back(fmt::format("np.load({})", file));
            return expressions;
        };
        writeArrayDataset(loads("inputs"), loads("labels"));
    }

    void writeNpz() {
        m_text.line(fmt::format("arrays = np.load({})", named("file")));
        const auto members = [&](const char* key, const char* byDefault) {
            std::vector<std::string> expressions;
            for (const std::string& name : has(key) ? namedTexts(key) : std::vector{pythonLiteral(byDefault)})
                expressions.push_back(fmt::format("arrays[{}]", name));
            return expressions;
        };
        writeArrayDataset(members("inputs", "x_train"), members("labels", "y_train"));
    }

    void writeArrayDataset(const std::vector<std::string>& inputs, const std::vector<std::string>& labels) {
        const std::vector<std::string> inputNames = writeArrays("inputs", inputs);
        for (const std::string& name : inputNames)
            writeTransform(name);
        writeSlices(inputNames, writeArrays("labels", labels));
    }

    void writeCifar() {
        std::vector<std::string> files;
        for (const std::string& file : namedTexts("files"))
            files.push_back(fmt::format("np.fromfile({}, dtype=\"u1\")", file));
        m_text.line("# Per picture a byte with its class, then its red, green and blue planes.");
        m_text.line(fmt::format("rows = np.concatenate([{}]).reshape((-1, 3073))", fmt::join(files, ", ")));
        m_text.line("images = rows[:, 1:].reshape((-1, 3, 32, 32)).transpose((0, 2, 3, 1))");
        m_text.line(has("scale") ? fmt::format("images = images.astype(\"float32\") / {}", named("scale"))
                                 : "images = images.astype(\"float32\")");
        m_text.line("labels = rows[:, 0].astype(\"int32\")");
        writeSlices({"images"}, {"labels"});
    }

    // ---- files that are decoded one by one --------------------------------------------------------------

    void writePictures() {
        const std::string channels = m_keys.value("channels", std::string("rgb"));
        m_text.line(has("class_names") ? fmt::format("classes = {}", named("class_names"))
                                       : fmt::format("classes = np.sort(os.listdir({}))", named("folder")));
        m_text.line();
        m_text.line("def load(path):");
        m_text.indent();
        m_text.line("is_class = tf.equal(tf.strings.split(path, os.sep)[-2], classes)");
        m_text.line("label = tf.argmax(tf.cast(is_class, tf.int32), output_type=tf.int32)");
        m_text.line("# decode_png reads JPEG as well.");
        m_text.line(fmt::format("image = tf.io.decode_png(tf.io.read_file(path), channels={})",
                                channels == "grayscale" ? 1
                                : channels == "rgba"    ? 4
                                                        : 3));
        if (has("size"))
            m_text.line(fmt::format("image = tf.image.resize(image, {})", named("size")));
        else
            m_text.line(fmt::format("image = tf.ensure_shape(tf.cast(image, tf.float32), {})",
                                    pythonLiteral(inputShape())));
        m_text.line(has("scale") ? fmt::format("return image / {}, label", named("scale"))
                                 : "return image, label");
        m_text.dedent();
        m_text.line();
        m_text.line("# Files come class after class: mixed well they train as they should.");
        m_text.line(
            fmt::format("files = tf.data.Dataset.list_files(os.path.join({}, \"*\", \"*\"), shuffle=False)",
                        named("folder")));
        m_text.line("dataset = files.shuffle(10000, seed=0).map(load)");
    }

    void writeText() {
        const bool isShifted = isOn("next_token", false);
        const std::int64_t length = m_keys.at("length").get<std::int64_t>() + (isShifted ? 1 : 0);
        m_text.line("# 0 pads, 1 is a token that the vocabulary does not have, its first line is 2.");
        m_text.call("words = tf.lookup.TextFileInitializer",
                    {named("vocabulary"), "tf.string", "tf.lookup.TextFileIndex.WHOLE_LINE", "tf.int64",
                     "tf.lookup.TextFileIndex.LINE_NUMBER"});
        m_text.line("table = tf.lookup.StaticHashTable(words, -1)");
        m_text.line();
        m_text.line("def encode(line):");
        m_text.indent();
        if (m_keys.value("standardize", std::string()) != "none")
            m_text.line("line = tf.strings.regex_replace(tf.strings.lower(line), "
                        "\"[!\\\"#$%&()*+,\\\\-./:;<=>?@\\\\[\\\\\\\\\\\\]^_`{|}~']\", \"\")");
        m_text.line(m_keys.value("split", std::string()) == "character"
                        ? "tokens = tf.strings.unicode_split(line, \"UTF-8\")"
                        : "tokens = tf.strings.split(line)");
        m_text.line(fmt::format("numbers = tf.cast(table.lookup(tokens[:{}]), tf.int32) + 2", length));
        m_text.line(fmt::format("padded = tf.pad(numbers, [[0, {} - tf.shape(numbers)[0]]])", length));
        m_text.line(fmt::format("return tf.reshape(padded, [{}])", length));
        m_text.dedent();
        m_text.line();
        m_text.line(fmt::format("dataset = tf.data.TextLineDataset({}).map(encode)", named("file")));
        if (isShifted) {
            m_text.line("dataset = dataset.map(lambda tokens: (tokens[:-1], tokens[1:]))");
        } else if (has("labels")) {
            m_text.line(fmt::format("labels = np.loadtxt({}, dtype=\"float32\")", named("labels")));
            m_text.line("labels = tf.data.Dataset.from_tensor_slices(labels)");
            m_text.line("dataset = tf.data.Dataset.zip((dataset, labels))");
        } else {
            m_text.line("dataset = dataset.map(lambda tokens: (tokens, tokens))");
        }
    }

    // ---- made-up samples --------------------------------------------------------------------------------

    /// Rows of the table that tf.gather() looks an input up in, where that is a Variable.
    [[nodiscard]] std::optional<std::int64_t> gatheredRows(const LayerInvocation& call) const {
        const ModelGraph& model = *m_program.model;
        if (model.layer(call.layer).config.value("function", Json()) != "gather" || call.inputs.size() < 2)
            return std::nullopt;
        const Layer& table = model.layer(call.inputs.front().invocation);
        const Json shape = table.className == "Variable" ? table.config.value("shape", Json()) : Json();
        return shape.is_array() && !shape.empty() && shape[0].is_number_integer()
                   ? std::optional(shape[0].get<std::int64_t>())
                   : std::nullopt;
    }

    /// Numbers from which an input of indices is drawn: the rows of the table that looks them up.
    [[nodiscard]] std::int64_t indicesOf(std::size_t input) const {
        const ModelGraph& model = *m_program.model;
        for (const LayerInvocation& call : model.invocations)
            for (const TensorRef& ref : call.inputs)
                if (ref == model.inputs[input]) {
                    if (const auto rows = gatheredRows(call); rows && !(ref == call.inputs.front()))
                        return *rows;
                    if (const Json& config = model.layer(call.layer).config;
                        config.contains("input_dim") && config["input_dim"].is_number_integer())
                        return config["input_dim"].get<std::int64_t>();
                }
        return 2;
    }

    [[nodiscard]] std::string inputText(std::size_t input, std::int64_t samples) const {
        Json extents = Json::array({samples});
        for (const Json& extent : inputShape(input))
            extents.push_back(extent.is_null() ? Json(32) : extent);
        const Json& config = m_program.model->layer(m_program.model->inputs[input].invocation).config;
        const std::string type = config.contains("dtype") && config["dtype"].is_string()
                                     ? config["dtype"].get<std::string>()
                                     : "float32";
        if (type.starts_with("float"))
            return fmt::format("rng.random({}, dtype=\"float32\")", pythonLiteral(extents));
        return fmt::format("rng.integers(0, {}, {}, dtype=\"int32\")", indicesOf(input),
                           pythonLiteral(extents));
    }

    /// What an output is compared with: classes, or numbers in its own shape.
    [[nodiscard]] std::string targetText(std::size_t output, std::int64_t samples,
                                         const InferredModel& inferred) const {
        const TensorRef ref = m_program.model->outputs[output];
        const auto& drawn = inferred.drawnOutputs;
        const bool isKnown =
            ref.invocation.index() < drawn.size() && ref.output < drawn[ref.invocation.index()].size();
        Json extents = Json::array({samples});
        if (isKnown) {
            const Shape& shape = drawn[ref.invocation.index()][ref.output].shape;
            for (std::size_t axis = 1; axis < shape.rank(); ++axis)
                extents.push_back(shape[axis].value_or(32));
        }
        const std::vector<KerasObject>& losses = m_program.losses;
        const LossDefinition* loss =
            losses.empty() ? nullptr : findLoss(losses[std::min(output, losses.size() - 1)].className);
        const auto own =
            loss == nullptr
                ? std::nullopt
                : ownLabelExtents(losses[std::min(output, losses.size() - 1)].config.value("model", Json()),
                                  loss->target == TargetForm::Classes);
        if (own) {
            const Json width = extents.back();
            extents = Json::array({samples});
            for (const std::int64_t extent : *own)
                extents.push_back(extent);
            if (loss->target == TargetForm::Classes)
                return fmt::format("rng.integers(0, {}, {}, dtype=\"int32\")",
                                   pythonLiteral(m_keys.value("classes", width)), pythonLiteral(extents));
        }
        if (loss != nullptr && loss->target == TargetForm::Dense)
            return fmt::format("rng.random({}, dtype=\"float32\")", pythonLiteral(extents));
        const Json width = extents.size() > 1 ? extents.back() : Json(10);
        const Json classes = m_keys.contains("classes") ? m_keys["classes"] : width;
        if (extents.size() > 1)
            extents.erase(extents.size() - 1);
        return fmt::format("rng.integers(0, {}, {}, dtype=\"int32\")", pythonLiteral(classes),
                           pythonLiteral(extents));
    }

    /// Random numbers in the shapes of the model.
    void writeSynthetic() {
        m_text.line("# Made-up samples: replace them by your own.");
        m_text.line(fmt::format("rng = np.random.default_rng({})", has("seed") ? named("seed") : "0"));
        if (m_program.model == nullptr)
            return;
        const std::int64_t samples = m_keys.value("samples", std::int64_t{1024});
        InferenceOptions options;
        options.opaqueLayers = m_program.opaqueLayers;
        const InferredModel inferred = inferKnownShapes(*m_program.model, options);
        std::vector<std::string> inputs;
        for (std::size_t i = 0; i < m_program.model->inputs.size(); ++i)
            inputs.push_back(inputText(i, samples));
        std::vector<std::string> targets;
        for (std::size_t i = 0; i < m_program.model->outputs.size(); ++i)
            targets.push_back(targetText(i, samples, inferred));
        writeSlices(writeArrays("inputs", inputs), writeArrays("labels", targets));
    }

    /// What each sample counts for goes behind its target.
    void writeWeights() {
        if (!has("sample_weights"))
            return;
        m_text.line(fmt::format("weights = np.load({}).astype(\"float32\")", named("sample_weights")));
        m_text.line("weights = tf.data.Dataset.from_tensor_slices(weights)");
        m_text.line("dataset = tf.data.Dataset.zip((dataset, weights))");
        m_text.line("dataset = dataset.map(lambda sample, weight: (sample[0], sample[1], weight))");
    }

    PythonText& m_text;
    const DatasetProgram& m_program;
    Json m_keys;
};

} // namespace

void writeDatasetProgram(PythonText& text, const DatasetProgram& program) {
    DatasetWriter(text, program).write();
}

} // namespace core
