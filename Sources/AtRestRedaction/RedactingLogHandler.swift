import AtRestCrypto
import Logging

/// A log handler that withholds secrets and passes the rest on to another handler.
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
/// The handler withholds the text that its ``Redactor`` finds in the message, in the error, and in
/// the keys and values of metadata at every nesting level, regardless of whether the metadata came
/// with the message, from the logger or from a provider. Under a key such as `password`, the
/// handler withholds the whole value. It does not redact labels, sources, the names of files and functions, or
/// messages that went to the wrapped handler before it was wrapped.
///
/// Messages at the levels trace and debug are dropped if the verbosity is
/// ``Verbosity/infoAndAbove``, which is the default in release builds.
///
/// Safe to use like any log handler: it is a value, copied with its logger.
public struct RedactingLogHandler: LogHandler {
  /// The levels that pass.
  public enum Verbosity: Sendable, Hashable {
    /// Every level that the logger lets through.
    case all
    /// Info and above. Trace and debug never pass, whatever the level is set to.
    case infoAndAbove

    /// ``all`` if this package was built for debugging, otherwise ``infoAndAbove``.
    ///
    /// SwiftPM and Xcode build a package in the configuration of the program that uses it. Pass the
    /// verbosity yourself if the package comes as a binary, or if `DEBUG` is set in builds that you
    /// ship:
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

  /// The nesting depth up to which metadata is searched. Deeper values are withheld.
  private static let deepest = 16
  /// The maximum number of metadata values of one message. Further values are withheld.
  private static let mostValues = 1000

  private var wrapped: any LogHandler
  private let redactor: Redactor
  private let verbosity: Verbosity
  /// The metadata of the logger. It is redacted only when a message is logged, because a secret may
  /// be registered later.
  public var metadata: Logger.Metadata
  /// The provider of metadata, called for each message.
  public var metadataProvider: Logger.MetadataProvider?

  /// Wraps a handler, and takes over its metadata and its metadata provider.
  public init(
    _ wrapped: any LogHandler, redactor: Redactor, verbosity: Verbosity = .ofBuild
  ) {
    self.wrapped = wrapped
    self.redactor = redactor
    self.verbosity = verbosity
    metadata = wrapped.metadata
    self.wrapped.metadata = [:]
    metadataProvider = wrapped.metadataProvider
    // A handler that does not support metadata providers complains when one is set, even to nil.
    if metadataProvider != nil { self.wrapped.metadataProvider = nil }
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// The level of the wrapped handler, but at least info if trace and debug are dropped.
  public var logLevel: Logger.Level {
    get { verbosity == .all ? wrapped.logLevel : max(wrapped.logLevel, .info) }
    set { wrapped.logLevel = newValue }
  }

  public func log(event: LogEvent) {
    guard verbosity == .all || event.level >= .info else { return }
    let secrets = redactor.secrets.snapshot
    var event = event
    var values = Self.mostValues
    event.message = "\(redactor.redact(event.message.description, secrets))"
    event.error = event.error.map { WithheldError($0, redactor.redact("\($0)", secrets)) }
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let given = event.metadata { all.merge(given) { $1 } }
    event.metadata = all.isEmpty ? nil : redact(all, secrets, 0, &values)
    wrapped.log(event: event)
  }

  private func redact(
    _ metadata: Logger.Metadata, _ secrets: SecretSnapshot, _ depth: Int, _ values: inout Int
  ) -> Logger.Metadata {
    var result: Logger.Metadata = [:]
    for (key, value) in metadata {
      var name = redactor.redact(key, secrets)
      // Two keys that are withheld must remain two keys.
      var number = 1
      while result[name] != nil {
        number += 1
        name = "\(Redaction.mark) \(number)"
      }
      result[name] =
        redactor.patterns.withholds(valueOf: key)
        ? .string(Redaction.mark) : redact(value, secrets, depth, &values)
    }
    return result
  }

  private func redact(
    _ value: Logger.MetadataValue, _ secrets: SecretSnapshot, _ depth: Int, _ values: inout Int
  ) -> Logger.MetadataValue {
    values -= 1
    guard values >= 0, depth < Self.deepest else { return .string(Redaction.mark) }
    return switch value {
    case .string(let text): .string(redactor.redact(text, secrets))
    case .stringConvertible(let value): .string(redactor.redact(value.description, secrets))
    case .dictionary(let nested): .dictionary(redact(nested, secrets, depth + 1, &values))
    case .array(let nested):
      .array(nested.map { redact($0, secrets, depth + 1, &values) })
    }
  }
}

/// An error that replaces another error in the log. Its description is the type of the other error,
/// followed by the redacted description.
private struct WithheldError: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error, _ description: String) {
    // The type is kept, because handlers and the readers of logs distinguish errors by type.
    self.description = "\(type(of: error)): \(description)"
  }
}
