import AtRestCrypto
import Foundation

/// The settings from flags, the environment, a file, and systemd's credentials and state folder. Each
/// is taken from the first of these that has it.
struct Settings {
  /// A value and where it comes from.
  struct Value {
    let text: String
    /// The place, worded for an error: `--port`, or the file with the line.
    let origin: String
    /// 0 for a flag, 1 for the environment, 2 for the file, 3 for systemd.
    let rank: Int
  }

  private let flags: [Setting: String]
  private let environment: [String: String]
  private let file: SettingsFile?

  /// - Parameters:
  ///   - path: The settings file, or nil for the one that the environment names.
  /// - Throws: The errors of ``SettingsFile``.
  init(
    flags: [Setting: String], path: String?,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    self.flags = flags
    self.environment = environment
    let named = environment[Setting.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
    file = try (path ?? named).map { try SettingsFile($0) }
  }

  /// Returns the value of a setting, or nil if it is not set anywhere.
  func value(_ setting: Setting) -> Value? {
    if let text = flags[setting] {
      return Value(text: text, origin: "--\(setting.rawValue)", rank: 0)
    }
    if let text = environment[setting.variable], !text.isEmpty {
      return Value(text: text, origin: setting.variable, rank: 1)
    }
    if let file, let entry = file.entries[setting] {
      return Value(
        text: entry.text, origin: "\(file.path), line \(entry.line), \(setting.rawValue)", rank: 2)
    }
    if setting.canBeCredential, let folder = environment["CREDENTIALS_DIRECTORY"] {
      let path = "\(folder)/\(setting.rawValue)"
      if FileManager.default.fileExists(atPath: path) {
        return Value(text: path, origin: path, rank: 3)
      }
    }
    // The variable can name several folders, between colons.
    if setting == .record, let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first
    {
      return Value(text: "\(folder)/record", origin: "STATE_DIRECTORY", rank: 3)
    }
    return nil
  }

  /// Returns the value of a setting, or throws an error that names the ways to set it.
  func required(_ setting: Setting, _ meaning: String) throws -> String {
    if let value = value(setting) { return value.text }
    throw AtRestError(
      .invalidArgument, "\(meaning) is not set.",
      remedy: "Name it with --\(setting.rawValue), \(setting.variable), or \(setting.rawValue) in "
        + "the settings file.")
  }

  /// Returns the whole number of a setting, or a default.
  func integer(_ setting: Setting, in range: ClosedRange<Int>, default other: Int) throws -> Int {
    guard let value = value(setting) else { return other }
    guard let number = Int(value.text), range.contains(number) else {
      throw refused(
        value, "Use a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// Returns the positive number of a setting, or a default.
  func number(_ setting: Setting, default other: Double) throws -> Double {
    guard let value = value(setting) else { return other }
    guard let number = Double(value.text), number.isFinite, number > 0 else {
      throw refused(value, "Use a number above 0.")
    }
    return number
  }

  /// Returns the one of several words that a setting names, or a default.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ setting: Setting, default other: Word
  ) throws -> Word {
    guard let value = value(setting) else { return other }
    guard let word = Word(rawValue: value.text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw refused(value, "Use one of: \(words).")
    }
    return word
  }

  private func refused(_ value: Value, _ remedy: String) -> AtRestError {
    AtRestError(
      .invalidArgument, "\(value.origin): \"\(value.text)\" is not valid.", remedy: remedy)
  }

  /// The environment variables that have the server's prefix and are no settings, in order.
  ///
  /// They are not refused, because Kubernetes sets such variables for a service of this name.
  var unknownVariables: [String] {
    let known = Set(Setting.allCases.map(\.variable) + [Setting.fileVariable])
    return environment.keys.filter { $0.hasPrefix(Setting.prefix) && !known.contains($0) }.sorted()
  }
}
