#include "core/interchange/python/apis/files/program_files.h"

#include "core/base/json.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/syntax/modules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace core {

namespace {

constexpr const char* fileClass = "builtin.file";
constexpr const char* pathClass = "pathlib.Path";

/// The text of a file name or path; nothing: only a run knows it.
std::optional<std::string> pathText(const PythonValue* value) {
    if (value == nullptr)
        return std::nullopt;
    if (value->isText())
        return value->constant().get<std::string>();
    return textOfPath(*value);
}

PythonValue pathOf(std::string text) {
    while (text.size() > 1 && text.ends_with('/'))
        text.pop_back();
    PythonLibraryObject path = pythonObject(pathClass);
    (*path.attributes)[std::string(pythonTextFunction)] = pythonText(text.empty() ? "." : std::move(text));
    return path;
}

std::string joined(std::string folder, const std::string& name) {
    if (name.starts_with('/'))
        return name;
    if (folder == "." || folder.empty())
        return name;
    return folder + (folder.ends_with('/') ? "" : "/") + name;
}

/// What is in front of the last part, as os.path.dirname() says it.
std::string folderOf(const std::string& path) {
    const std::size_t end = path.rfind('/');
    if (end == std::string::npos)
        return "";
    return end == 0 ? "/" : path.substr(0, end);
}

std::string lastOf(const std::string& path) {
    return path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
}

/// Where the ending of a name begins; its end: it has none.
std::size_t endingOf(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos || dot == 0 ? name.size() : dot;
}

/// What a file of the program's folder holds; nothing: there is none, or it is no text.
std::optional<std::string> textBeside(const PythonApiCall& call, const std::string& path) {
    return call.builder.modules == nullptr ? std::nullopt : call.builder.modules->text(path);
}

// ---- open files -----------------------------------------------------------------------------------------

PythonValue unknownFile(const std::string& path) {
    PythonData data;
    data.origin = fmt::format("the file \"{}\"", quotedName(path));
    data.cure = "put it beside the program";
    return data;
}

PythonValue openText(const PythonApiCall& call, const std::optional<std::string>& path,
                     const PythonValue* mode) {
    if (!path)
        return PythonData();
    const std::string kind = mode != nullptr && mode->isText() ? mode->constant().get<std::string>() : "r";
    const bool isRead = kind.find_first_of("wax+") == std::string::npos;
    const auto text = isRead ? textBeside(call, *path) : std::nullopt;
    if (!text)
        return isRead ? unknownFile(*path) : PythonValue(PythonData());
    PythonLibraryObject file = pythonObject(fileClass);
    (*file.attributes)["text"] = pythonText(*text);
    (*file.attributes)["name"] = pythonText(*path);
    (*file.attributes)[std::string(pythonEnterFunction)] = PythonValue();
    return file;
}

PythonValue openFile(const PythonApiCall& call) {
    return openText(call, pathText(call.arguments.find("file", 0)), call.arguments.find("mode", 1));
}

PythonValue openPath(const PythonApiCall& call) {
    return openText(call, pathText(call.arguments.find("self", 0)), call.arguments.find("mode", 1));
}

/// The text that is left to be read of an open file; reading empties it.
std::optional<std::string> takeText(const PythonValue* value) {
    const auto* file = value == nullptr ? nullptr : value->as<PythonLibraryObject>();
    if (file == nullptr || file->className != fileClass)
        return std::nullopt;
    std::string text = file->attributes->at("text").constant().get<std::string>();
    (*file->attributes)["text"] = pythonText("");
    return text;
}

PythonValues linesOf(std::string_view text) {
    PythonValues lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(pythonText(std::string(text.substr(0, end + 1))));
        text.remove_prefix(end + 1);
    }
    return lines;
}

PythonValue readWhole(const PythonApiCall& call) {
    const auto text = takeText(call.arguments.find("self", 0));
    return text ? pythonText(*text) : PythonValue(PythonData());
}

PythonValue readLines(const PythonApiCall& call) {
    const auto text = takeText(call.arguments.find("self", 0));
    return text ? pythonList(linesOf(*text)) : PythonValue(PythonData());
}

PythonValue readLine(const PythonApiCall& call) {
    const PythonValue* self = call.arguments.find("self", 0);
    const auto text = takeText(self);
    if (!text)
        return PythonData();
    const std::size_t end = text->empty() ? 0 : std::min(text->find('\n'), text->size() - 1) + 1;
    (*self->as<PythonLibraryObject>()->attributes)["text"] = pythonText(text->substr(end));
    return pythonText(text->substr(0, end));
}

PythonValue readPath(const PythonApiCall& call) {
    const auto path = pathText(call.arguments.find("self", 0));
    const auto text = path ? textBeside(call, *path) : std::nullopt;
    if (text)
        return pythonText(*text);
    return path ? unknownFile(*path) : PythonValue(PythonData());
}

// ---- JSON and YAML --------------------------------------------------------------------------------------

PythonValue readJson(const PythonApiCall& call, const std::string& text, const std::string& file) {
    const auto json = parseJson(text, file);
    if (!json) {
        const Diagnostic& error = json.error().front();
        call.interpreter.messages().raise(
            call.place(), {"JSONDecodeError", "ValueError", "Exception"}, "python/value",
            fmt::format("{}: {}: {}", quotedName(file), error.location.place, quotedName(error.message)),
            {"mend it there"});
    }
    const PythonValue hook = call.arguments.keyword("object_hook") == nullptr
                                 ? PythonValue()
                                 : *call.arguments.keyword("object_hook");
    return pythonFromJson(call, *json, hook.isNone() ? nullptr : &hook);
}

/// What a scalar of YAML is that has no quotes: a number, true, false, null or a text, as YAML 1.1 says.
PythonValue plainScalar(const std::string& text) {
    constexpr std::array<std::string_view, 9> yes{"true", "True", "TRUE", "yes", "Yes",
                                                  "YES",  "on",   "On",   "ON"};
    constexpr std::array<std::string_view, 9> no{"false", "False", "FALSE", "no", "No",
                                                 "NO",    "off",   "Off",   "OFF"};
    constexpr std::array<std::string_view, 5> none{"", "~", "null", "Null", "NULL"};
    if (std::ranges::find(none, text) != none.end())
        return {};
    if (std::ranges::find(yes, text) != yes.end())
        return pythonConstant(true);
    if (std::ranges::find(no, text) != no.end())
        return pythonConstant(false);
    std::string digits = text;
    std::erase(digits, '_');
    if (digits.starts_with('+'))
        digits.erase(0, 1);
    if (digits.starts_with('.'))
        digits.insert(0, "0");
    const std::size_t dot = digits.find('.');
    if (dot != std::string::npos && (dot + 1 == digits.size() || digits[dot + 1] == 'e'))
        digits.insert(dot + 1, "0");
    const bool isHex = digits.starts_with("0x");
    std::int64_t whole = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data() + (isHex ? 2 : 0), end, whole, isHex ? 16 : 10);
    if (read.ec == std::errc() && read.ptr == end)
        return pythonConstant(whole);
    // YAML 1.1 takes 1e-3 for a text: its numbers have a dot.
    double number = 0;
    const auto real = std::from_chars(digits.data(), end, number);
    if (real.ec == std::errc() && real.ptr == end && dot != std::string::npos)
        return pythonConstant(number);
    return pythonText(text);
}

PythonValue fromYaml(const PythonApiCall& call, const YAML::Node& node, int depth) {
    constexpr int deepest = 64;
    call.interpreter.countWork(1, call.place());
    if (depth > deepest)
        call.refuse("python/value", "this YAML is nested too deeply",
                    {fmt::format("nest at most {} lists and dictionaries", deepest)});
    if (node.IsScalar()) // "!" is a scalar in quotes
        return node.Tag() == "!" ? pythonText(node.Scalar()) : plainScalar(node.Scalar());
    if (node.IsSequence()) {
        PythonValues items;
        for (const YAML::Node& item : node)
            items.push_back(fromYaml(call, item, depth + 1));
        return pythonList(std::move(items));
    }
    if (!node.IsMap())
        return {};
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const auto& entry : node) {
        PythonValue value = fromYaml(call, entry.second, depth + 1);
        if (entry.first.IsScalar() && entry.first.Scalar() == "<<" && value.is<PythonDictionary>()) {
            for (const auto& inherited : *value.as<PythonDictionary>()->entries)
                entries.push_back(inherited);
            continue;
        }
        entries.emplace_back(fromYaml(call, entry.first, depth + 1), std::move(value));
    }
    // A later key replaces an earlier one.
    std::vector<std::pair<PythonValue, PythonValue>> last;
    for (auto& [key, value] : entries) {
        const auto same = std::ranges::find_if(last, [&](const auto& one) {
            return one.first.template is<PythonConstant>() && key.template is<PythonConstant>() &&
                   one.first.constant() == key.constant();
        });
        if (same == last.end())
            last.emplace_back(std::move(key), std::move(value));
        else
            same->second = std::move(value);
    }
    return pythonDictionary(std::move(last));
}

PythonValue readYaml(const PythonApiCall& call, const std::string& text, const std::string& file) {
    std::string wrong;
    YAML::Node node;
    try { // the library answers by throwing
        node = YAML::Load(text);
    } catch (const YAML::Exception& error) {
        wrong = fmt::format("{}:{}: {}", error.mark.line + 1, error.mark.column + 1, error.msg);
    }
    if (!wrong.empty())
        call.interpreter.messages().raise(call.place(), {"YAMLError", "Exception"}, "python/value",
                                          fmt::format("{}: {}", quotedName(file), quotedName(wrong)),
                                          {"mend it there"});
    return fromYaml(call, node, 0);
}

/// The whole text that a function like json.load() is handed: an open file, or a text.
std::optional<std::string> textOfArgument(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.list.empty() ? nullptr : &call.arguments.list.front();
    if (given != nullptr && given->isText())
        return given->constant().get<std::string>();
    return takeText(given);
}

/// What messages call that text: the name of its file.
std::string nameOfArgument(const PythonApiCall& call) {
    const auto* file =
        call.arguments.list.empty() ? nullptr : call.arguments.list.front().as<PythonLibraryObject>();
    const auto name = file == nullptr ? std::map<std::string, PythonValue>::const_iterator()
                                      : file->attributes->find("name");
    const bool isNamed = file != nullptr && name != file->attributes->end() && name->second.isText();
    return isNamed ? name->second.constant().get<std::string>() : "the text";
}

PythonValue dataOfArgument(const PythonApiCall& call) {
    const auto* data = call.arguments.list.empty() ? nullptr : call.arguments.list.front().as<PythonData>();
    return data == nullptr ? PythonData() : *data;
}

PythonValue loadJson(const PythonApiCall& call) {
    const auto text = textOfArgument(call);
    return text ? readJson(call, *text, nameOfArgument(call)) : dataOfArgument(call);
}

/// As Python writes it: a space behind each comma and colon, or lines that are indented.
std::string dumped(const Json& value, int indent, int depth) {
    if (!value.is_structured() || value.empty())
        return value.dump(-1, ' ', true);
    const auto line = [&](int level) {
        return indent < 0
                   ? std::string()
                   : "\n" +
                         std::string(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
    };
    std::string text(1, value.is_object() ? '{' : '[');
    bool isFirst = true;
    for (const auto& [key, item] : value.items()) {
        text += (isFirst ? "" : indent < 0 ? ", " : ",") + line(depth + 1);
        if (value.is_object())
            text += Json(key).dump(-1, ' ', true) + ": ";
        text += dumped(item, indent, depth + 1);
        isFirst = false;
    }
    return text + line(depth) + (value.is_object() ? '}' : ']');
}

/// json.dumps() of what the program says.
PythonValue dumpJson(const PythonApiCall& call) {
    const PythonValue* value = call.arguments.find("obj", 0);
    const PythonValue* indent = call.arguments.keyword("indent");
    constexpr std::int64_t widest = 16;
    const std::int64_t spaces = indent != nullptr && indent->isWhole()
                                    ? std::min(indent->constant().get<std::int64_t>(), widest)
                                    : -1;
    if (value == nullptr)
        return PythonData();
    Json json;
    if (call.interpreter.attempt([&] { json = call.builder.json(*value, call.place()); }))
        return PythonData(); // of what a run alone knows
    if (const PythonValue* sorts = call.arguments.keyword("sort_keys");
        sorts != nullptr && sorts->constant() == true)
        json = Json::parse(nlohmann::json::parse(json.dump()).dump());
    return pythonText(dumped(json, static_cast<int>(spaces), 0));
}

PythonValue loadYaml(const PythonApiCall& call) {
    const auto text = textOfArgument(call);
    return text ? readYaml(call, *text, nameOfArgument(call)) : dataOfArgument(call);
}

// ---- paths ----------------------------------------------------------------------------------------------

bool isFolder(const PythonApiCall& call, const std::string& path) {
    constexpr std::array<std::string_view, 5> everywhere{"/", "/tmp", ".", "./", ""};
    return std::ranges::find(everywhere, path) != everywhere.end() ||
           (call.builder.modules != nullptr && call.builder.modules->isFolder(path));
}

/// The program's own folder holds what it holds; anywhere else there is nothing.
PythonValue exists(const PythonApiCall& call) {
    const auto path = pathText(call.arguments.list.empty() ? nullptr : &call.arguments.list.front());
    if (!path)
        return pythonConstant(false);
    const std::string asked = call.name();
    const bool isFile =
        !asked.ends_with("dir") && call.builder.modules != nullptr && call.builder.modules->isFile(*path);
    return pythonConstant(isFile || (!asked.ends_with("file") && !path->empty() && isFolder(call, *path)));
}

PythonValue joinPath(const PythonApiCall& call) {
    std::string whole;
    for (const PythonValue& part : call.arguments.list) {
        const auto text = pathText(&part);
        if (!text)
            return PythonData();
        if (text->starts_with("/"))
            whole.clear();
        whole += (whole.empty() || whole.ends_with("/") ? "" : "/") + *text;
    }
    return pythonText(std::move(whole));
}

/// Functions of one path that answer a text.
PythonValue partOfPath(const PythonApiCall& call) {
    const auto path = pathText(call.arguments.list.empty() ? nullptr : &call.arguments.list.front());
    if (!path)
        return PythonData();
    if (call.name() == "dirname")
        return pythonText(folderOf(*path));
    if (call.name() == "basename")
        return pythonText(lastOf(*path));
    if (call.name() == "splitext") {
        const std::string name = lastOf(*path);
        const std::size_t cut = path->size() - name.size() + endingOf(name);
        return pythonList({pythonText(path->substr(0, cut)), pythonText(path->substr(cut))}, true);
    }
    return pythonText(*path); // abspath, realpath, expanduser, normpath: where the program is, is its folder
}

PythonValue makePath(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return pathOf(".");
    std::string whole;
    for (const PythonValue& part : call.arguments.list) {
        const auto text = pathText(&part);
        if (!text)
            return PythonData();
        whole = joined(std::move(whole), *text);
    }
    return pathOf(std::move(whole));
}

PythonValue samePath(const PythonApiCall& call) {
    return call.arguments.list.front();
}

PythonValue otherEnding(const PythonApiCall& call) {
    const auto path = pathText(call.arguments.find("self", 0));
    const auto ending = pathText(call.arguments.find("suffix", 1));
    if (!path || !ending)
        return PythonData();
    const std::string name = lastOf(*path);
    return pathOf(path->substr(0, path->size() - name.size() + endingOf(name)) + *ending);
}

} // namespace

std::optional<std::string> textOfPath(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    if (object == nullptr || object->className != pathClass)
        return std::nullopt;
    return object->attributes->at(std::string(pythonTextFunction)).constant().get<std::string>();
}

std::optional<PythonValues> linesOfFile(const PythonValue& value) {
    const auto text = takeText(&value);
    return text ? std::optional(linesOf(*text)) : std::nullopt;
}

std::optional<PythonValue> attributeOfPath(const PythonLibraryObject& object, const std::string& name) {
    const auto path = textOfPath(object);
    if (!path)
        return std::nullopt;
    const std::string last = lastOf(*path);
    if (name == "parent")
        return pathOf(folderOf(*path));
    if (name == "name")
        return pythonText(last);
    if (name == "stem")
        return pythonText(last.substr(0, endingOf(last)));
    if (name == "suffix")
        return pythonText(last.substr(endingOf(last)));
    return std::nullopt;
}

std::optional<PythonValue> joinedPaths(const std::string& operation, const PythonValue& left,
                                       const PythonValue& right) {
    const bool isPath = textOfPath(left).has_value() || textOfPath(right).has_value();
    if (operation != "/" || !isPath)
        return std::nullopt;
    const auto folder = pathText(&left);
    const auto name = pathText(&right);
    if (!folder || !name)
        return PythonData();
    return pathOf(joined(*folder, *name));
}

std::vector<PythonApiName> fileFunctions() {
    const std::string file(fileClass);
    const std::string path(pathClass);
    std::vector<PythonApiName> names{
        readName("builtin.open", openFile),
        readName(file + ".read", readWhole),
        readName(file + ".readlines", readLines),
        readName(file + ".readline", readLine),
        readName(file + ".close", [](const PythonApiCall&) { return PythonValue(); }),
        hostName(file + ".**"),
        readName("json.load", loadJson),
        readName("json.loads", loadJson),
        readName("json.dumps", dumpJson),
        readName("yaml.load", loadYaml),
        readName("yaml.safe_load", loadYaml),
        readName("yaml.full_load", loadYaml),
        hostName("yaml.**"),
        readName("os.path.join", joinPath),
        readName("os.fspath",
                 [](const PythonApiCall& call) {
                     const auto text = pathText(call.arguments.find("path", 0));
                     return text ? pythonText(*text) : PythonValue(PythonData());
                 }),
        readName("os.path.exists", exists),
        readName("os.path.isfile", exists),
        readName("os.path.isdir", exists),
        readName(path, makePath),
        readName("pathlib.PosixPath", makePath),
        readName("pathlib.PurePath", makePath),
        readName(path + ".open", openPath),
        readName(path + ".read_text", readPath),
        readName(path + ".exists", exists),
        readName(path + ".is_file", exists),
        readName(path + ".is_dir", exists),
        readName(path + ".joinpath", makePath),
        readName(path + ".with_suffix", otherEnding),
        readName(path + ".as_posix",
                 [](const PythonApiCall& call) {
                     const auto text = pathText(call.arguments.find("self", 0));
                     return text ? pythonText(*text) : PythonValue(PythonData());
                 }),
    };
    for (const char* one :
         {"dirname", "basename", "splitext", "abspath", "realpath", "expanduser", "expandvars", "normpath"})
        names.push_back(readName(std::string("os.path.") + one, partOfPath));
    for (const char* one : {"resolve", "absolute", "expanduser"})
        names.push_back(readName(path + "." + one, samePath));
    return names;
}

} // namespace core
