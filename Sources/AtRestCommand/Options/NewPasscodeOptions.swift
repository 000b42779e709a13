import ArgumentParser
import AtRestCrypto
import AtRestKeybag

/// What a new passcode costs to try.
struct NewPasscodeOptions: ParsableArguments {
  /// The functions that a passcode may go through.
  enum Function: String, ExpressibleByArgument, CaseIterable {
    case scrypt
    case pbkdf2SHA256 = "pbkdf2-sha256"
    case pbkdf2SHA512 = "pbkdf2-sha512"

    var value: PasswordKDF.Function {
      switch self {
      case .scrypt: .scrypt
      case .pbkdf2SHA256: .pbkdf2SHA256
      case .pbkdf2SHA512: .pbkdf2SHA512
      }
    }
  }

  @Option(help: "The function that makes a new passcode slow to try.")
  var kdf = Function.scrypt

  @Option(
    help: ArgumentHelp(
      "How long one try shall take on this machine; never less than OWASP's minimum.",
      valueName: "milliseconds"))
  var kdfTime: Int?

  @Option(
    help: ArgumentHelp(
      "Wipe the store after so many wrong passcodes in a row; 0: never.", valueName: "count"))
  var attemptLimit: UInt16 = 0

  @OptionGroup var weakness: WeakPasscodeOptions

  func validate() throws {
    if let kdfTime, !(1...60_000).contains(kdfTime) {
      throw ValidationError("--kdf-time is 1 to 60000 milliseconds.")
    }
  }

  var password: PasswordKDF {
    if let kdfTime { return .calibrated(kdf.value, to: .milliseconds(kdfTime)) }
    return switch kdf {
    case .scrypt: .scrypt()
    case .pbkdf2SHA256: .pbkdf2SHA256()
    case .pbkdf2SHA512: .pbkdf2SHA512()
    }
  }

  var options: Keybag.Options {
    Keybag.Options(
      kdf: password, attemptLimit: attemptLimit, allowsWeakPasscode: weakness.weakPasscode)
  }
}
