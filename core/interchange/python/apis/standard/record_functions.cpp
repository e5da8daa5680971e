// Records: the classes of dataclasses.
#include "core/interchange/python/apis/standard/record_functions.h"

#include <algorithm>
#include <string>

namespace core {

namespace {

const PythonInstance* recordOf(const PythonApiCall& call) {
    const auto* object = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonInstance>();
    return object != nullptr && object->definition->kind == PythonClassKind::Record ? object : nullptr;
}

/// The fields of a record, or of its class.
const std::vector<PythonField>* fieldsOf(const PythonApiCall& call) {
    if (const PythonInstance* object = recordOf(call))
        return &object->definition->fields;
    const auto* type = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonClassName>();
    return type == nullptr ? nullptr : &type->definition->fields;
}

/// dataclasses.field(default=…, default_factory=…).
PythonValue recordField(const PythonApiCall& call) {
    if (const PythonValue* value = call.arguments.keyword("default"))
        return *value;
    if (const PythonValue* factory = call.arguments.keyword("default_factory"))
        return PythonMethod{std::make_shared<const PythonValue>(*factory), std::string(pythonDefaultFactory)};
    if (const PythonValue* starts = call.arguments.keyword("init");
        starts != nullptr && starts->constant() == false)
        return PythonMethod{std::make_shared<const PythonValue>(), std::string(pythonFieldAlone)};
    call.refuse("python/value", "field() without a default is not read", {"write the field without field()"});
}

/// A record as a dictionary, with the records in it.
PythonValue entriesOf(const PythonValue& value, int depth = 0) {
    constexpr int deepest = 20;
    const auto* object = value.as<PythonInstance>();
    if (depth > deepest)
        return value;
    if (const auto* list = value.as<PythonList>()) {
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(entriesOf(item, depth + 1));
        return pythonList(std::move(items), list->isTuple);
    }
    if (object == nullptr || object->definition->kind != PythonClassKind::Record)
        return value;
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const PythonField& field : object->definition->fields)
        entries.emplace_back(pythonText(field.name),
                             entriesOf(object->attributes->at(field.name), depth + 1));
    return pythonDictionary(std::move(entries));
}

PythonValue recordEntries(const PythonApiCall& call) {
    return recordOf(call) == nullptr ? PythonValue(PythonData()) : entriesOf(call.arguments.list[0]);
}

PythonValue recordValues(const PythonApiCall& call) {
    const PythonInstance* object = recordOf(call);
    if (object == nullptr)
        return PythonData();
    PythonValues values;
    for (const PythonField& field : object->definition->fields)
        values.push_back(object->attributes->at(field.name));
    return pythonList(std::move(values), true);
}

/// replace(record, field=…): another record, made as the class makes them.
PythonValue replaced(const PythonApiCall& call) {
    const PythonInstance* object = recordOf(call);
    if (object == nullptr)
        return PythonData();
    PythonArguments fields{{}, call.arguments.keywords, call.place()};
    for (const PythonField& field : object->definition->fields)
        if (const auto* mark = field.byDefault == nullptr ? nullptr : field.byDefault->as<PythonMethod>();
            fields.keyword(field.name) == nullptr && (mark == nullptr || mark->name != pythonFieldAlone))
            fields.keywords.emplace_back(field.name, object->attributes->at(field.name));
    return call.interpreter.call(PythonClassName{object->definition}, fields);
}

/// The class of a field's default; what is written beside its name is not kept.
PythonValue typeOfField(const PythonField& field) {
    if (field.byDefault == nullptr)
        return PythonData();
    const Json& value = field.byDefault->constant();
    const char* type = value.is_boolean()          ? "builtin.bool"
                       : value.is_number_integer() ? "builtin.int"
                       : value.is_number()         ? "builtin.float"
                       : value.is_string()         ? "builtin.str"
                                                   : nullptr;
    return type == nullptr ? PythonValue(PythonData()) : PythonValue(PythonLibraryName{type});
}

PythonValue namedFields(const PythonApiCall& call) {
    const std::vector<PythonField>* fields = fieldsOf(call);
    if (fields == nullptr)
        return PythonData();
    PythonValues made;
    for (const PythonField& field : *fields) {
        auto attributes = std::make_shared<std::map<std::string, PythonValue>>();
        (*attributes)["name"] = pythonText(field.name);
        (*attributes)["default"] = field.byDefault == nullptr ? PythonValue(PythonData()) : *field.byDefault;
        (*attributes)["type"] = typeOfField(field);
        (*attributes)["metadata"] = pythonDictionary({});
        made.emplace_back(PythonLibraryObject{"dataclasses.Field", std::move(attributes)});
    }
    return pythonList(std::move(made), true);
}

PythonValue isRecord(const PythonApiCall& call) {
    const auto* type = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonClassName>();
    return pythonConstant(recordOf(call) != nullptr ||
                          (type != nullptr && type->definition->kind == PythonClassKind::Record));
}

} // namespace

std::vector<PythonApiName> recordFunctions() {
    return {readName("dataclasses.field", recordField),    readName("dataclasses.asdict", recordEntries),
            readName("dataclasses.astuple", recordValues), readName("dataclasses.replace", replaced),
            readName("dataclasses.fields", namedFields),   readName("dataclasses.is_dataclass", isRecord)};
}

} // namespace core
