import AtRestCrypto
import Foundation
import Yams

/// The settings file: a mapping of names to values in YAML.
///
/// ```yaml
/// database: host=/run/postgresql dbname=keys
/// port: 8443
/// ```
struct SettingsFile {
  /// A value and the line that it is on.
  struct Entry {
    let text: String
    let line: Int
  }

  let path: String
  private(set) var entries: [Setting: Entry] = [:]

  /// Reads a file.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted`` if it cannot be
  ///   read; ``AtRestError/Code/invalidArgument`` with the line for anything that is not a setting
  ///   with one value.
  init(_ path: String) throws {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Self.unreadable(path)
    }
    guard let node = try Self.parse(data, path) else { return }
    guard let mapping = node.mapping else {
      throw AtRestError(
        .invalidArgument, "\(path) is not a list of settings.",
        remedy: "Write each setting on a line of its own, such as: port: 8443.")
    }
    for (key, value) in mapping {
      let line = key.mark?.line ?? 1
      guard let name = key.scalar?.string, let setting = Setting(rawValue: name) else {
        throw AtRestError(
          .invalidArgument,
          "\(path), line \(line): there is no setting \"\(key.scalar?.string ?? "")\".",
          remedy: "The settings are \(Setting.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      guard let text = value.scalar?.string else {
        throw AtRestError(
          .invalidArgument, "\(path), line \(line): \(name) has more than one value.",
          remedy: "Write one value on the line of the setting.")
      }
      // An empty value is no value, as in the environment.
      if !text.isEmpty { entries[setting] = Entry(text: text, line: line) }
    }
  }

  private static func parse(_ data: Data, _ path: String) throws -> Node? {
    do {
      return try Yams.compose(yaml: String(decoding: data, as: UTF8.self))
    } catch {
      let line =
        switch error as? YamlError {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
          ", line \(mark.line)"
        default: ""
        }
      throw AtRestError(
        .invalidArgument, "\(path)\(line): this is not YAML, or a setting is there twice.",
        remedy: "Write each setting once, on a line of its own, such as: port: 8443.")
    }
  }

  private static func unreadable(_ path: String) -> AtRestError {
    access(path, F_OK) == 0
      ? AtRestError(
        .notPermitted, "The settings file \(path) cannot be read.",
        remedy: "Check its permissions.")
      : AtRestError(
        .notFound, "There is no settings file \(path).",
        remedy: "Correct --config or \(Setting.fileVariable).")
  }
}
