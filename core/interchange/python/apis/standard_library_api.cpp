// The modules that come with Python; most of what they do is about the host.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/data/number_functions.h"
#include "core/interchange/python/apis/files/ini_files.h"
#include "core/interchange/python/apis/files/program_files.h"
#include "core/interchange/python/apis/object_functions.h"
#include "core/interchange/python/apis/standard/command_functions.h"
#include "core/interchange/python/apis/standard/command_line.h"
#include "core/interchange/python/apis/standard/context_functions.h"
#include "core/interchange/python/apis/standard/iterator_functions.h"
#include "core/interchange/python/apis/standard/operator_functions.h"
#include "core/interchange/python/apis/standard/program_flags.h"
#include "core/interchange/python/apis/standard/program_options.h"
#include "core/interchange/python/apis/standard/record_functions.h"
#include "core/interchange/python/apis/standard/text_patterns.h"

#include <algorithm>
#include <optional>

namespace core {

namespace {

using Attributes = std::map<std::string, PythonValue>;

/// os.getenv(): what the program has set itself.
PythonValue environment(const PythonApiCall& call) {
    const PythonValue* key = call.arguments.find("key", 0);
    for (const auto& [name, value] : *call.builder.environment.as<PythonDictionary>()->entries)
        if (key != nullptr && key->isText() && name.constant() == key->constant())
            return value;
    const PythonValue* byDefault = call.arguments.find("default", 1);
    return byDefault == nullptr ? PythonValue() : *byDefault;
}

/// A bar that shows how far a loop is: the loop is over what it is given.
PythonValue watched(const PythonApiCall& call) {
    const PythonValue* over = call.arguments.find("iterable", 0);
    return over == nullptr ? PythonValue(PythonData()) : *over;
}

PythonValue watchedRange(const PythonApiCall& call) {
    call.arguments.keywords.clear();
    return call.interpreter.call(PythonLibraryName{"builtin.range"}, call.arguments);
}

PythonValue partial(const PythonApiCall& call) {
    auto attributes = std::make_shared<Attributes>();
    if (call.arguments.list.empty())
        call.refuse("python/value", "partial() lacks its function", {"write partial(function, …)"});
    std::vector<std::pair<PythonValue, PythonValue>> keywords;
    for (const auto& [name, value] : call.arguments.keywords)
        keywords.emplace_back(pythonText(name), value);
    (*attributes)["func"] = call.arguments.list[0];
    (*attributes)["args"] = pythonList({call.arguments.list.begin() + 1, call.arguments.list.end()}, true);
    (*attributes)["keywords"] = pythonDictionary(std::move(keywords));
    return PythonLibraryObject{"functools.partial", std::move(attributes)};
}

PythonValue reduce(const PythonApiCall& call) {
    if (call.arguments.list.size() < 2)
        call.refuse("python/value", "reduce() takes a function and a list", {"write reduce(function, list)"});
    if (call.arguments.list[1].is<PythonData>())
        return call.arguments.list[1];
    PythonValues items = call.interpreter.iterate(call.arguments.list[1], call.place());
    if (call.arguments.list.size() > 2)
        items.insert(items.begin(), call.arguments.list[2]);
    if (items.empty())
        call.refuse("python/value", "reduce() of nothing has no value", {"give it a first value"});
    PythonValue total = items.front();
    for (std::size_t i = 1; i < items.size(); ++i) {
        PythonArguments two{{total, items[i]}, {}, call.place()};
        total = call.interpreter.call(call.arguments.list[0], two);
    }
    return total;
}

/// namedtuple("Name", "a b") and namedtuple("Name", ["a", "b"]).
PythonValue namedTuple(const PythonApiCall& call) {
    auto made = std::make_shared<PythonClass>();
    const PythonValue* fields = call.arguments.find("field_names", 1);
    if (call.arguments.list.empty() || fields == nullptr)
        call.refuse("python/value", "namedtuple() takes a name and its fields",
                    {"write namedtuple(\"Name\", [\"first\", \"second\"])"});
    made->name = call.interpreter.text(call.arguments.list[0], call.place());
    made->kind = PythonClassKind::NamedTuple;
    PythonValues names;
    if (fields->isText()) {
        std::string text = fields->constant().get<std::string>();
        std::ranges::replace(text, ',', ' ');
        PythonArguments none{{}, {}, call.place()};
        names = call.interpreter
                    .call(PythonMethod{std::make_shared<const PythonValue>(pythonText(text)), "split"}, none)
                    .items();
    } else {
        names = call.interpreter.iterate(*fields, call.place());
    }
    PythonValues defaults;
    if (const PythonValue* given = call.arguments.keyword("defaults"))
        defaults = call.interpreter.iterate(*given, call.place());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool hasDefault = i + defaults.size() >= names.size();
        made->fields.push_back(
            {call.interpreter.text(names[i], call.place()),
             hasDefault ? std::make_shared<const PythonValue>(defaults[i + defaults.size() - names.size()])
                        : nullptr});
    }
    return PythonClassName{std::move(made)};
}

/// ChainMap(a, b): what the first of them has that has it.
PythonValue chainedDictionaries(const PythonApiCall& call) {
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const PythonValue& one : call.arguments.list) {
        const auto* dictionary = one.as<PythonDictionary>();
        if (dictionary == nullptr)
            return PythonData();
        for (const auto& [key, value] : *dictionary->entries)
            if (std::ranges::none_of(entries, [&](const auto& entry) { return areEqual(entry.first, key); }))
                entries.emplace_back(key, value);
    }
    return pythonDictionary(std::move(entries));
}

PythonValue dictionaryWithDefault(const PythonApiCall& call) {
    PythonValue made = pythonDictionary({});
    if (!call.arguments.list.empty() && !call.arguments.list[0].isNone())
        std::get<PythonDictionary>(made.content).missing =
            std::make_shared<const PythonValue>(call.arguments.list[0]);
    return made;
}

/// How often each value is there.
PythonValue counted(const PythonApiCall& call) {
    PythonValue made = pythonDictionary({});
    auto& counts = std::get<PythonDictionary>(made.content);
    counts.missing = std::make_shared<const PythonValue>(PythonLibraryName{"builtin.int"});
    if (call.arguments.list.empty())
        return made;
    if (call.arguments.list[0].is<PythonData>())
        return PythonData();
    if (const auto* known = call.arguments.list[0].as<PythonDictionary>()) { // counts by what they count
        *counts.entries = *known->entries;
        return made;
    }
    for (const PythonValue& value : call.interpreter.iterate(call.arguments.list[0], call.place())) {
        const auto found = std::ranges::find_if(
            *counts.entries, [&](const auto& entry) { return areEqual(entry.first, value); });
        if (found == counts.entries->end())
            counts.entries->emplace_back(value, pythonConstant(1));
        else
            found->second = pythonConstant(found->second.constant().get<std::int64_t>() + 1);
    }
    return made;
}
PythonValue orderedDictionary(const PythonApiCall& call) {
    return call.interpreter.call(PythonLibraryName{"builtin.dict"}, call.arguments);
}

/// deque(values, maxlen): a list that keeps its last values.
PythonValue doubleEnded(const PythonApiCall& call) {
    const PythonValue* most = call.arguments.find("maxlen", 1);
    const std::int64_t longest =
        most != nullptr && most->isWhole() ? most->constant().get<std::int64_t>() : -1;
    const PythonValue* values = call.arguments.find("iterable", 0);
    PythonArguments given{values == nullptr ? PythonValues() : PythonValues{*values}, {}, call.place()};
    PythonValue made = call.interpreter.call(PythonLibraryName{"builtin.list"}, given);
    if (auto* list = std::get_if<PythonList>(&made.content)) {
        list->longest = longest;
        trimFront(*list->items, longest);
    }
    return made;
}

/// copy.copy() and copy.deepcopy(); what a library made is itself.
PythonValue copied(const PythonApiCall& call, const PythonValue& value, bool isDeep) {
    const auto inner = [&](const PythonValue& item) { return isDeep ? copied(call, item, true) : item; };
    call.interpreter.countWork(1, call.place());
    if (const auto* list = value.as<PythonList>()) {
        PythonList made = *list;
        made.items = std::make_shared<PythonValues>();
        for (const PythonValue& item : *list->items)
            made.items->push_back(inner(item));
        return made;
    }
    if (const auto* dictionary = value.as<PythonDictionary>()) {
        PythonDictionary made{std::make_shared<std::vector<std::pair<PythonValue, PythonValue>>>(),
                              dictionary->missing};
        for (const auto& [key, item] : *dictionary->entries)
            made.entries->emplace_back(key, inner(item));
        return made;
    }
    if (const auto* made = value.as<PythonLibraryObject>();
        made != nullptr &&
        (made->className == "argparse.Namespace" || made->className == "types.SimpleNamespace")) {
        PythonLibraryObject copy{made->className, std::make_shared<Attributes>()};
        for (const auto& [name, item] : *made->attributes)
            (*copy.attributes)[name] = inner(item);
        return copy;
    }
    const auto* object = value.as<PythonInstance>();
    if (object == nullptr || object->definition->kind == PythonClassKind::Enumeration)
        return value;
    const PythonInstance made{object->definition, std::make_shared<Attributes>(), object->definition};
    for (const auto& [name, item] : *object->attributes)
        (*made.attributes)[name] = inner(item);
    return made;
}

PythonValue copyOf(const PythonApiCall& call) {
    return call.arguments.list.empty() ? PythonValue()
                                       : copied(call, call.arguments.list[0], call.name() == "deepcopy");
}

/// textwrap.dedent(): without the spaces that all lines begin with; lines of spaces alone become empty.
PythonValue dedented(const PythonApiCall& call) {
    const PythonValue* text = call.arguments.find("text", 0);
    if (text == nullptr || !text->isText())
        return PythonData();
    std::vector<std::string> lines;
    const std::string whole = text->constant().get<std::string>();
    for (std::size_t at = 0; at <= whole.size();) {
        const std::size_t end = std::min(whole.find('\n', at), whole.size());
        lines.push_back(whole.substr(at, end - at));
        at = end + 1;
    }
    std::optional<std::string> margin;
    for (std::string& line : lines) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos) {
            line.clear();
            continue;
        }
        if (!margin)
            margin = line.substr(0, begin);
        const auto ends = std::ranges::mismatch(*margin, line.substr(0, begin));
        margin->erase(ends.in1, margin->end());
    }
    std::string made;
    for (std::size_t i = 0; i < lines.size(); ++i)
        made += (i == 0 ? "" : "\n") + (lines[i].empty() ? lines[i] : lines[i].substr(margin->size()));
    return pythonText(std::move(made));
}

/// threading.Thread(target=f, args=(…), kwargs={…}): what start() calls.
PythonValue makeThread(const PythonApiCall& call) {
    PythonLibraryObject thread = pythonObject("threading.Thread");
    constexpr std::size_t targetAt = 1;
    constexpr std::size_t argumentsAt = 3;
    for (const auto& [name, position] : {std::pair("target", targetAt), std::pair("args", argumentsAt),
                                         std::pair("kwargs", argumentsAt + 1)})
        if (const PythonValue* given = call.arguments.given(name, position))
            (*thread.attributes)[name] = *given;
    return thread;
}

PythonValue startThread(const PythonApiCall& call) {
    const auto* thread = call.arguments.list.at(0).as<PythonLibraryObject>();
    if (thread == nullptr || !thread->attributes->contains("target"))
        return {};
    const auto attributes = thread->attributes;
    PythonArguments passed{{}, {}, call.place()};
    if (const auto list = attributes->find("args"); list != attributes->end())
        passed.list = list->second.items();
    if (const auto named = attributes->find("kwargs"); named != attributes->end())
        if (const auto* entries = named->second.as<PythonDictionary>())
            for (const auto& [key, value] : *entries->entries)
                if (key.isText())
                    passed.keywords.emplace_back(key.constant().get<std::string>(), value);
    static_cast<void>(call.interpreter.call(attributes->at("target"), passed));
    return {};
}

std::vector<PythonApiName> standardNames() {
    std::vector<PythonApiName> names = numberFunctions("math.");
    for (auto& rows : {functionsOfOperator(), iteratorFunctions(), heapFunctions(), recordFunctions(),
                       contextFunctions(), commandLineFunctions(), commandFunctions(), optionFunctions(),
                       fileFunctions(), iniFileNames(), distributionNames()})
        names.insert(names.end(), rows.begin(), rows.end());
    const std::vector<PythonApiName> functions{
        readName("os.getenv", environment),
        readName("sys.exit", endProgram),
        readName("os._exit", endProgram),
        readName("tqdm.**.tqdm", watched),
        readName("tqdm.**.trange", watchedRange),
        readName("functools.partial", partial),
        readName("threading.Thread", makeThread),
        readName("threading.Thread.start", startThread),
        readName("functools.reduce", reduce),
        readName("functools.update_wrapper",
                 [](const PythonApiCall& call) {
                     const PythonValue* wrapper = call.arguments.find("wrapper", 0);
                     return wrapper == nullptr ? PythonValue() : *wrapper;
                 }),
        readName("collections.namedtuple", namedTuple),
        readName("collections.ChainMap", chainedDictionaries),
        readName("collections.OrderedDict", orderedDictionary),
        readName("collections.defaultdict", dictionaryWithDefault),
        readName("collections.deque", doubleEnded),
        readName("collections.Counter", counted),
        readName("types.SimpleNamespace", makeNamespace),
        readName("types.MappingProxyType", // the mapping itself, which it only shows
                 [](const PythonApiCall& call) {
                     const PythonValue* mapping = call.arguments.find("mapping", 0);
                     return mapping == nullptr ? PythonValue(PythonData()) : *mapping;
                 }),
        readName("textwrap.dedent", dedented),
        readName("inspect.cleandoc", dedented),
        readName("copy.copy", copyOf),
        readName("copy.deepcopy", copyOf),
    };
    names.insert(names.end(), functions.begin(), functions.end());
    for (PythonApiName& name : textPatternFunctions())
        names.push_back(std::move(name));
    for (PythonApiName& name : flagFunctions("absl.flags"))
        names.push_back(std::move(name));
    names.push_back(mainFunction("absl.app.run"));
    for (const char* module :
         {"argparse.**", "os.**",         "sys.**",    "time.**",        "math.**",       "random.**",
          "pathlib.**",  "gzip.**",       "struct.**", "logging.**",     "datetime.**",   "json.**",
          "builtin.**",  "tempfile.**",   "shutil.**", "collections.**", "functools.**",  "itertools.**",
          "typing.**",   "warnings.**",   "re.**",     "copy.**",        "contextlib.**", "dataclasses.**",
          "types.**",    "enum.**",       "abc.**",    "glob.**",        "pprint.**",     "traceback.**",
          "platform.**", "subprocess.**", "pickle.**", "csv.**",         "string.**",     "operator.**",
          "uuid.**",     "threading.**",  "signal.**", "absl.**",        "textwrap.**",   "inspect.**"})
        names.push_back(hostName(module));
    return names;
}

} // namespace

const PythonApiTable& standardLibraryApi() {
    static const PythonApiTable api{{{"tf.io.gfile.GFile", "builtin.open"},
                                     {"tf.io.gfile.exists", "os.path.exists"},
                                     {"tf.io.gfile.isdir", "os.path.isdir"},
                                     {"tf.io.gfile.join", "os.path.join"}},
                                    {},
                                    standardNames()};
    return api;
}

} // namespace core
