#include "core/interchange/onnx/onnx_file.h"

#include "core/interchange/archive/wire_reader.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace core {

namespace {

using FieldType = WireField::Type;

/// Extents whose product could overflow are refused.
constexpr std::int64_t mostElements = std::int64_t{1} << 40;
constexpr int deepestGraph = 16;
/// Nodes, tensors, values and attributes, of all graphs together: a few bytes of a file become some hundreds
/// in memory, and models have some ten thousands of them.
constexpr std::size_t mostParts = 400'000;

/// Reads messages and remembers the first thing that is wrong.
class FileReader {
public:
    explicit FileReader(std::string_view file)
        : m_file(file) {}

    [[nodiscard]] bool failed() const { return !m_diagnostics.empty(); }
    [[nodiscard]] Diagnostics takeDiagnostics() { return std::move(m_diagnostics); }

    void refuse(std::string code, std::string place, std::string message, std::vector<std::string> hints) {
        if (failed())
            return;
        m_diagnostics.push_back(makeError(Trouble::Input, std::move(code), {m_file, std::move(place)},
                                          std::move(message), std::move(hints)));
    }

    /// Calls `take` with each field of a message.
    template <class Take>
    void walk(std::string_view message, const char* kind, Take take) {
        WireReader reader(message);
        while (const auto field = reader.next()) {
            take(*field);
            if (failed())
                return;
        }
        if (reader.isDamaged())
            refuse("onnx/damaged", kind, fmt::format("the bytes of this {} are damaged", kind),
                   {"export the model again"});
    }

    OnnxModel model(std::string_view bytes);
    OnnxTensor tensor(std::string_view bytes);

private:
    /// Adds what the message holds: of a message in several parts the parts are one.
    void graph(std::string_view bytes, int depth, OnnxGraph& graph);
    std::shared_ptr<const OnnxGraph> subgraph(std::string_view bytes, int depth);
    OnnxNode node(std::string_view bytes, int depth);
    std::pair<std::string, OnnxAttribute> attribute(std::string_view bytes, int depth);
    OnnxValue value(std::string_view bytes);
    void type(std::string_view bytes, OnnxValue& value);
    Shape shape(std::string_view bytes);
    void opset(std::string_view bytes, OnnxModel& model);
    /// One more part of the model.
    void countPart();

    std::string m_file;
    std::size_t m_parts = 0;
    Diagnostics m_diagnostics;
};

void FileReader::countPart() {
    if (++m_parts > mostParts)
        refuse("onnx/too-many-parts", "graph",
               fmt::format("there are more than {} nodes, tensors and attributes", mostParts),
               {"export the model without unrolled loops, or split it"});
}

std::string textOf(const WireField& field) {
    return std::string(field.bytes);
}

std::int64_t integerOf(const WireField& field) {
    return static_cast<std::int64_t>(field.bits);
}

template <class T>
void appendRaw(std::string& data, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    data.append(bytes, sizeof(T));
}

/// A repeated number field, packed or not.
template <class Take>
void takeVarints(const WireField& field, Take take) {
    if (field.type != FieldType::Bytes) {
        take(field.bits);
        return;
    }
    WireReader reader(field.bytes);
    while (!reader.isAtEnd()) {
        if (const auto bits = reader.varint())
            take(*bits);
    }
}

void takeFixed(const WireField& field, std::string& data, std::size_t size) {
    if (field.type == FieldType::Bytes)
        data.append(field.bytes.substr(0, field.bytes.size() / size * size));
    else
        data.append(reinterpret_cast<const char*>(&field.bits), size);
}

/// An element of `int32_data` or `int64_data` or `uint64_data` in the width of the tensor's type.
void appendElement(std::string& data, OnnxType type, std::uint64_t bits) {
    switch (onnxElementBytes(type)) {
    case 1:
        appendRaw(data, static_cast<std::uint8_t>(bits));
        break;
    case 2:
        appendRaw(data, static_cast<std::uint16_t>(bits));
        break;
    case 4:
        appendRaw(data, static_cast<std::uint32_t>(bits));
        break;
    default:
        appendRaw(data, bits);
        break;
    }
}

OnnxTensor FileReader::tensor(std::string_view bytes) {
    countPart();
    OnnxTensor tensor;
    std::vector<std::uint64_t> integers;
    std::string fixed;
    std::int64_t texts = 0;
    bool hasRaw = false;
    walk(bytes, "tensor", [&](const WireField& field) {
        switch (field.number) {
        case 1:
            takeVarints(field, [&](std::uint64_t bits) {
                tensor.extents.push_back(static_cast<std::int64_t>(bits));
            });
            break;
        case 2:
            tensor.type = static_cast<OnnxType>(std::min<std::uint64_t>(field.bits, 255));
            break;
        case 4: // float_data
            takeFixed(field, fixed, 4);
            break;
        case 10: // double_data
            takeFixed(field, fixed, 8);
            break;
        case 5:  // int32_data
        case 7:  // int64_data
        case 11: // uint64_data
            takeVarints(field, [&](std::uint64_t bits) { integers.push_back(bits); });
            break;
        case 6: // string_data
            ++texts;
            break;
        case 8:
            tensor.name = textOf(field);
            break;
        case 9: // raw_data
            tensor.data = textOf(field);
            hasRaw = true;
            break;
        case 14: // data_location
            tensor.isExternal = field.bits == 1;
            break;
        default:
            break;
        }
    });
    if (!hasRaw && !integers.empty()) {
        for (const std::uint64_t bits : integers)
            appendElement(tensor.data, tensor.type, bits);
    } else if (!hasRaw) {
        tensor.data = std::move(fixed);
    }
    std::int64_t elements = 1;
    for (const std::int64_t extent : tensor.extents) {
        if (extent < 0 || extent > mostElements || (elements != 0 && extent > mostElements / elements)) {
            refuse("onnx/structure", tensor.name.substr(0, 80),
                   fmt::format("the tensor has an extent of {}", extent), {"export the model again"});
            return tensor;
        }
        elements *= extent;
    }
    const std::size_t width = onnxElementBytes(tensor.type);
    const bool isWhole = tensor.isExternal || texts > 0 || width == 0 ||
                         tensor.data.size() == static_cast<std::size_t>(elements) * width;
    if (!failed() && !isWhole)
        refuse("onnx/structure", tensor.name.substr(0, 80),
               fmt::format("a tensor of {} elements of type {} has {} bytes", elements, toString(tensor.type),
                           tensor.data.size()),
               {"export the model again"});
    return tensor;
}

std::pair<std::string, OnnxAttribute> FileReader::attribute(std::string_view bytes, int depth) {
    countPart();
    std::string name;
    OnnxAttribute attribute;
    using Kind = OnnxAttribute::Kind;
    walk(bytes, "attribute", [&](const WireField& field) {
        const auto setKind = [&](Kind kind) { attribute.kind = kind; };
        switch (field.number) {
        case 1:
            name = textOf(field);
            break;
        case 2:
            attribute.number = std::bit_cast<float>(static_cast<std::uint32_t>(field.bits));
            setKind(Kind::Number);
            break;
        case 3:
            attribute.integer = integerOf(field);
            setKind(Kind::Integer);
            break;
        case 4:
            attribute.text = textOf(field);
            setKind(Kind::Text);
            break;
        case 5:
            attribute.tensor = std::make_shared<const OnnxTensor>(tensor(field.bytes));
            setKind(Kind::Tensor);
            break;
        case 6:
            attribute.graph = subgraph(field.bytes, depth + 1);
            setKind(Kind::Graph);
            break;
        case 7: {
            std::string raw;
            takeFixed(field, raw, 4);
            for (std::size_t at = 0; at + 4 <= raw.size(); at += 4) {
                float value = 0;
                std::memcpy(&value, raw.data() + at, 4);
                attribute.numbers.push_back(value);
            }
            setKind(Kind::Numbers);
            break;
        }
        case 8:
            takeVarints(field, [&](std::uint64_t bits) {
                attribute.integers.push_back(static_cast<std::int64_t>(bits));
            });
            setKind(Kind::Integers);
            break;
        case 9:
            attribute.texts.push_back(textOf(field));
            setKind(Kind::Texts);
            break;
        case 20: { // the declared type: an absent value is the type's zero
            constexpr Kind kinds[]{Kind::None,  Kind::Number,  Kind::Integer,  Kind::Text, Kind::Tensor,
                                   Kind::Graph, Kind::Numbers, Kind::Integers, Kind::Texts};
            if (attribute.kind == Kind::None && field.bits < std::size(kinds))
                attribute.kind = kinds[field.bits];
            break;
        }
        default:
            break;
        }
    });
    return {std::move(name), std::move(attribute)};
}

OnnxNode FileReader::node(std::string_view bytes, int depth) {
    countPart();
    OnnxNode node;
    walk(bytes, "node", [&](const WireField& field) {
        switch (field.number) {
        case 1:
            node.inputs.push_back(textOf(field));
            break;
        case 2:
            node.outputs.push_back(textOf(field));
            break;
        case 3:
            node.name = textOf(field);
            break;
        case 4:
            node.operation = textOf(field);
            break;
        case 5:
            node.attributes.insert(attribute(field.bytes, depth));
            break;
        case 7:
            node.domain = textOf(field);
            break;
        default:
            break;
        }
    });
    if (node.operation.empty())
        refuse("onnx/structure", node.name.substr(0, 80), "a node says no operation",
               {"export the model again; onnx.checker.check_model finds such nodes"});
    if (node.domain == "ai.onnx")
        node.domain.clear();
    return node;
}

Shape FileReader::shape(std::string_view bytes) {
    Shape shape;
    walk(bytes, "shape", [&](const WireField& field) {
        if (field.number != 1)
            return;
        Dimension extent;
        walk(field.bytes, "extent", [&](const WireField& part) {
            if (part.number == 1 && part.type == FieldType::Varint && integerOf(part) >= 0 &&
                integerOf(part) <= mostElements)
                extent = integerOf(part);
        });
        shape.dimensions.push_back(extent);
    });
    return shape;
}

void FileReader::type(std::string_view bytes, OnnxValue& value) {
    walk(bytes, "type", [&](const WireField& field) {
        if (field.number != 1)
            return;
        walk(field.bytes, "tensor type", [&](const WireField& part) {
            if (part.number == 1)
                value.type = static_cast<OnnxType>(std::min<std::uint64_t>(part.bits, 255));
            else if (part.number == 2)
                value.shape = shape(part.bytes);
        });
    });
}

OnnxValue FileReader::value(std::string_view bytes) {
    countPart();
    OnnxValue value;
    walk(bytes, "value", [&](const WireField& field) {
        if (field.number == 1)
            value.name = textOf(field);
        else if (field.number == 2)
            type(field.bytes, value);
    });
    return value;
}

std::shared_ptr<const OnnxGraph> FileReader::subgraph(std::string_view bytes, int depth) {
    auto inner = std::make_shared<OnnxGraph>();
    graph(bytes, depth, *inner);
    return inner;
}

void FileReader::graph(std::string_view bytes, int depth, OnnxGraph& graph) {
    if (depth > deepestGraph) {
        refuse("onnx/depth", "graph", fmt::format("graphs are nested deeper than {} levels", deepestGraph),
               {"simplify the model before it is exported: unroll its innermost If, Loop or Scan"});
        return;
    }
    walk(bytes, "graph", [&](const WireField& field) {
        switch (field.number) {
        case 1:
            graph.nodes.push_back(node(field.bytes, depth));
            break;
        case 2:
            graph.name = textOf(field);
            break;
        case 5:
            graph.initializers.push_back(tensor(field.bytes));
            break;
        case 11:
            graph.inputs.push_back(value(field.bytes));
            break;
        case 12:
            graph.outputs.push_back(value(field.bytes));
            break;
        default:
            break;
        }
    });
}

void FileReader::opset(std::string_view bytes, OnnxModel& model) {
    std::string domain;
    std::int64_t version = 1;
    walk(bytes, "operator set", [&](const WireField& field) {
        if (field.number == 1)
            domain = textOf(field);
        else if (field.number == 2)
            version = integerOf(field);
    });
    if (domain.empty() || domain == "ai.onnx")
        model.opset = version;
    else
        model.otherOpsets[domain] = version;
}

OnnxModel FileReader::model(std::string_view bytes) {
    OnnxModel model;
    bool hasGraph = false;
    walk(bytes, "model", [&](const WireField& field) {
        switch (field.number) {
        case 1:
            model.irVersion = integerOf(field);
            break;
        case 2:
            model.producer = textOf(field);
            break;
        case 7:
            graph(field.bytes, 0, model.graph);
            hasGraph = true;
            break;
        case 8:
            opset(field.bytes, model);
            break;
        default:
            break;
        }
    });
    if (!hasGraph)
        refuse("onnx/structure", "model", "there is no graph", {"give a file that onnx.save wrote"});
    return model;
}

/// Every tensor is written before it is read, and by one node only.
void checkOrder(const OnnxGraph& graph, FileReader& reader) {
    std::set<std::string_view> known;
    for (const OnnxValue& value : graph.inputs)
        known.insert(value.name);
    for (const OnnxTensor& tensor : graph.initializers)
        known.insert(tensor.name);
    std::set<std::string_view> written;
    for (const OnnxNode& node : graph.nodes) {
        for (const std::string& input : node.inputs) {
            if (!input.empty() && !known.contains(input) && !written.contains(input))
                reader.refuse("onnx/structure", node.name.empty() ? node.operation : node.name,
                              fmt::format("{} reads \"{}\", which nothing before it writes", node.operation,
                                          input.substr(0, 80)),
                              {"nodes must be in an order in which they can run"});
        }
        for (const std::string& output : node.outputs) {
            if (!output.empty() && !written.insert(output).second)
                reader.refuse("onnx/structure", node.name.empty() ? node.operation : node.name,
                              fmt::format("\"{}\" is written twice", output.substr(0, 80)),
                              {"give every output of a node a name of its own"});
        }
    }
    for (const OnnxValue& value : graph.outputs) {
        if (!known.contains(value.name) && !written.contains(value.name))
            reader.refuse(
                "onnx/structure", value.name.substr(0, 80), "nothing writes this output",
                {"name an output of a node, an input or an initializer; onnx.checker.check_model finds it"});
    }
}

} // namespace

bool isOnnx(std::string_view bytes) {
    // Text formats never decode as fields of these numbers; a model may begin with any of its fields.
    WireReader reader(bytes);
    bool hasGraph = false;
    while (const auto field = reader.next()) {
        const bool isText = field->number == 2 || field->number == 3 || field->number == 4 ||
                            field->number == 6 || field->number == 7 || field->number == 8 ||
                            field->number == 14 || field->number == 20 || field->number == 25;
        const bool isNumber = field->number == 1 || field->number == 5;
        if (!(isText && field->type == FieldType::Bytes) && !(isNumber && field->type == FieldType::Varint))
            return false;
        hasGraph = hasGraph || field->number == 7 || field->number == 8;
    }
    return hasGraph;
}

Result<OnnxModel> readOnnxModel(std::string_view bytes, std::string_view file) {
    FileReader reader(file);
    OnnxModel model = reader.model(bytes);
    if (!reader.failed())
        checkOrder(model.graph, reader);
    if (reader.failed())
        return failure(reader.takeDiagnostics());
    return model;
}

Result<OnnxTensor> readOnnxTensor(std::string_view bytes, std::string_view file) {
    FileReader reader(file);
    OnnxTensor tensor = reader.tensor(bytes);
    if (reader.failed())
        return failure(reader.takeDiagnostics());
    return tensor;
}

} // namespace core
