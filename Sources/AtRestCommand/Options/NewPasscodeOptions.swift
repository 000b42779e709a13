import ArgumentParser
import AtRestCrypto
import AtRestKeybag

/// The properties of a new passcode: the cost of an attempt, and the number of attempts.
struct NewPasscodeOptions: ParsableArguments {
  /// The functions that can derive a key from a passcode.
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

  @Option(help: "The password KDF for the new passcode.")
  var kdf = Function.scrypt

  @Option(
    help: ArgumentHelp(
      "Target time for one attempt on this machine; never below OWASP's minimum, which a note "
        + "names if it takes longer.",
      valueName: "milliseconds"))
  var kdfTime: Int?

  @Option(
    help: ArgumentHelp(
      "Wipe the store after this many wrong passcodes in a row; 0: never.", valueName: "count"))
  var attemptLimit: UInt16 = 0

  @OptionGroup var weakness: WeakPasscodeOptions

  func validate() throws {
    if let kdfTime, !(1...60_000).contains(kdfTime) {
      throw ValidationError("--kdf-time must be 1 to 60000 milliseconds.")
    }
  }

  var password: PasswordKDF {
    if let kdfTime {
      let calibration = PasswordKDF.calibration(kdf.value, to: .milliseconds(kdfTime))
      if let note = calibration.note { Output.note(note) }
      return calibration.kdf
    }
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
