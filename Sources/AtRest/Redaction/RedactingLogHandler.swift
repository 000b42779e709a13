import AtRestCrypto
import Logging

/// A log handler that withholds secrets, and passes on to another what is left.
///
/// ```swift
/// let secrets = SecretRegistry()
/// LoggingSystem.bootstrap { label in
///   RedactingLogHandler(
///     StreamLogHandler.standardError(label: label), redactor: Redactor(secrets: secrets))
/// }
/// try secrets.register(token)
/// ```
///
/// Withheld is what its ``Redactor`` names, from the message, the error, and keys and values of metadata
/// at every nesting, whichever way it came: with the message, on the logger, or from a provider. Under a
/// key such as `password` the whole value is withheld. What the wrapped handler was given before, labels
/// and the names of source files pass as they are.
///
/// Levels trace and debug are dropped where ``Verbosity`` says so, by default in release builds.
///
/// Safe to use as any log handler is: a value, copied with its logger.
public struct RedactingLogHandler: LogHandler {
  /// Which levels pass.
  public enum Verbosity: Sendable, Hashable {
    /// Every level that the logger lets through.
    case all
    /// Info and above; trace and debug never, whatever the level is set to.
    case infoAndAbove

    /// ``all`` where this package was built for debugging, ``infoAndAbove`` otherwise.
    ///
    /// SwiftPM and Xcode build a package in the configuration of the program that uses it. Give the
    /// verbosity yourself where it comes as a binary, or where `DEBUG` is set in builds that you ship:
    ///
    /// ```swift
    /// #if DEBUG
    ///   let verbosity = RedactingLogHandler.Verbosity.all
    /// #else
    ///   let verbosity = RedactingLogHandler.Verbosity.infoAndAbove
    /// #endif
    /// ```
    public static var ofBuild: Verbosity {
      #if DEBUG
        .all
      #else
        .infoAndAbove
      #endif
    }
  }

  /// Nesting of metadata that is looked into; what lies deeper is withheld.
  private static let deepest = 16
  /// Values of metadata that one message may have; the rest is withheld.
  private static let mostValues = 1000

  private var wrapped: any LogHandler
  private let redactor: Redactor
  private let verbosity: Verbosity
  /// Metadata of the logger, withheld from when it is used: a secret may be registered later.
  public var metadata: Logger.Metadata
  /// Asked at each message.
  public var metadataProvider: Logger.MetadataProvider?

  /// Wraps a handler, and takes over its metadata and its provider of metadata.
  public init(
    _ wrapped: any LogHandler, redactor: Redactor, verbosity: Verbosity = .ofBuild
  ) {
    self.wrapped = wrapped
    self.redactor = redactor
    self.verbosity = verbosity
    metadata = wrapped.metadata
    self.wrapped.metadata = [:]
    metadataProvider = wrapped.metadataProvider
    // A handler that has none complains when it is given one, nil included.
    if metadataProvider != nil { self.wrapped.metadataProvider = nil }
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// The wrapped handler's; info at least where trace and debug are dropped.
  public var logLevel: Logger.Level {
    get { verbosity == .all ? wrapped.logLevel : max(wrapped.logLevel, .info) }
    set { wrapped.logLevel = newValue }
  }

  public func log(event: LogEvent) {
    guard verbosity == .all || event.level >= .info else { return }
    let needles = redactor.secrets.snapshot
    var event = event
    var values = Self.mostValues
    event.message = "\(redactor.redact(event.message.description, needles))"
    event.error = event.error.map { WithheldError($0, redactor.redact("\($0)", needles)) }
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let given = event.metadata { all.merge(given) { $1 } }
    event.metadata = all.isEmpty ? nil : redact(all, needles, 0, &values)
    wrapped.log(event: event)
  }

  private func redact(
    _ metadata: Logger.Metadata, _ needles: Needles, _ depth: Int, _ values: inout Int
  ) -> Logger.Metadata {
    var result: Logger.Metadata = [:]
    for (key, value) in metadata {
      var name = redactor.redact(key, needles)
      // Two keys that are withheld stay two.
      var number = 1
      while result[name] != nil {
        number += 1
        name = "\(Redaction.mark) \(number)"
      }
      result[name] =
        redactor.patterns.withholds(valueOf: key)
        ? .string(Redaction.mark) : redact(value, needles, depth, &values)
    }
    return result
  }

  private func redact(
    _ value: Logger.MetadataValue, _ needles: Needles, _ depth: Int, _ values: inout Int
  ) -> Logger.MetadataValue {
    values -= 1
    guard values >= 0, depth < Self.deepest else { return .string(Redaction.mark) }
    return switch value {
    case .string(let text): .string(redactor.redact(text, needles))
    case .stringConvertible(let value): .string(redactor.redact(value.description, needles))
    case .dictionary(let nested): .dictionary(redact(nested, needles, depth + 1, &values))
    case .array(let nested):
      .array(nested.map { redact($0, needles, depth + 1, &values) })
    }
  }
}

/// The description of an error, with what is withheld taken out, in its place.
private struct WithheldError: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error, _ description: String) {
    // The type is what handlers and their readers tell errors apart by.
    self.description = "\(type(of: error)): \(description)"
  }
}
