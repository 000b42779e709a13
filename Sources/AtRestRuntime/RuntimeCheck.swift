/// A property of the running program that can be checked. Applications can add checks with names of
/// their own.
public struct RuntimeCheck: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  /// Creates a check with a name that this library knows or that the application defines.
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// A debugger or tracer is attached.
  public static let debugger = RuntimeCheck(rawValue: "debugger")
  /// The program contains a loaded library that it did not request.
  public static let injectedLibraries = RuntimeCheck(rawValue: "injected-libraries")
  /// The device was jailbroken. This check applies only to Apple's mobile platforms.
  public static let jailbreak = RuntimeCheck(rawValue: "jailbreak")
  /// Someone other than the user and root can change the program.
  public static let writableProgram = RuntimeCheck(rawValue: "writable-program")
  /// A crash writes the program's memory to disk.
  public static let coreDumps = RuntimeCheck(rawValue: "core-dumps")
  /// Memory may be written to an unencrypted disk.
  public static let swap = RuntimeCheck(rawValue: "swap")

  /// All checks known to this version.
  public static let all: [RuntimeCheck] = [
    .debugger, .injectedLibraries, .jailbreak, .writableProgram, .coreDumps, .swap,
  ]
}
