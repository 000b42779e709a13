import ArgumentParser
@_spi(Tools) import AtRestCrypto
import Foundation

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make a random password or passphrase.",
    discussion: """
      The password is written to standard output, with a newline only on a terminal, and its strength to standard \
      error. Nothing is stored. \
      20 characters of letters, digits and symbols have 131 bits, as many as a key of AES-128. 6 words have 62 bits, \
      which is enough where a slow function derives the key, as for a passcode of AtRest.

      EXAMPLES
        atrest generate
        atrest generate --words 6
        atrest generate --length 32 --characters alphanumeric | atrest add --service mail --account eva
      """)

  /// The kinds of characters.
  enum Characters: String, ExpressibleByArgument, CaseIterable {
    case all, alphanumeric, digits, hexadecimal

    var bytes: [UInt8] {
      let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
      let capitals = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
      let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
      switch self {
      // Every printable character of ASCII but the space.
      case .all: return Array(0x21...0x7e)
      case .alphanumeric: return letters + capitals + digits
      case .digits: return digits
      case .hexadecimal: return digits + letters.prefix(6)
      }
    }
  }

  private static let lengths = 4...1024
  private static let counts = 3...64
  private static let standardLength = 20

  @Option(help: ArgumentHelp("The number of characters, 4 to 1024. (default: 20)"))
  var length: Int?

  @Option(help: "The characters to choose from.")
  var characters: Characters?

  @Option(help: "Make a passphrase of this number of words, 3 to 64.")
  var words: Int?

  @Option(help: ArgumentHelp("The text between words. (default: -)"))
  var separator: String?

  func validate() throws {
    if let words {
      guard Self.counts.contains(words) else {
        throw ValidationError("--words takes a number from 3 to 64.")
      }
      guard length == nil, characters == nil else {
        throw ValidationError("Use either --words, or --length and --characters.")
      }
      // Otherwise two choices of words could give the same text.
      guard let separator, separator.isEmpty || separator.contains(where: \.isLetter) else {
        return
      }
      throw ValidationError("--separator takes at least one character, and no letters.")
    } else if separator != nil {
      throw ValidationError("--separator is for --words.")
    }
    guard Self.lengths.contains(length ?? Self.standardLength) else {
      throw ValidationError("--length takes a number from 4 to 1024.")
    }
  }

  func run() throws {
    let bits: Double
    if let words {
      let list = PassphraseWordList.words
      bits = Double(words) * log2(Double(list.count))
      Output.write(Self.passphrase(words, of: list, separator: separator ?? "-"))
    } else {
      let bytes = (characters ?? .all).bytes
      let length = length ?? Self.standardLength
      bits = Double(length) * log2(Double(bytes.count))
      Output.write(Self.password(length, of: bytes))
    }
    if Output.isTerminal(STDOUT_FILENO) { Output.write("\n") }
    Output.note(Self.strength(bits))
  }

  /// Returns random characters. They are only in locked memory.
  private static func password(_ length: Int, of characters: [UInt8]) -> SecretBytes {
    SecretBytes(count: length) { bytes in
      for index in bytes.indices {
        bytes[index] = characters[RandomChoice.index(below: characters.count)]
      }
    }
  }

  private static func passphrase(
    _ count: Int, of list: [String], separator: String
  ) -> SecretBytes {
    var parts: [SecretBox] = []
    for number in 0..<count {
      if number > 0 { parts.append(SecretBox(SecretBytes(utf8: separator))) }
      let word = list[RandomChoice.index(below: list.count)]
      parts.append(SecretBox(SecretBytes(utf8: word)))
    }
    return SecretBytes(count: parts.reduce(0) { $0 + $1.bytes.count }) { bytes in
      var rest = bytes
      for part in parts {
        part.bytes.withUnsafeBytes { rest.copyBytes(from: $0) }
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[part.bytes.count...])
      }
    }
  }

  /// The bits from which on a password withstands somebody who tries it as fast as hardware can, and one who has to
  /// compute a slow function each time.
  private static let (bitsForFast, bitsForSlow) = (80.0, 55.0)

  /// Returns what a number of bits is worth. The number counts the choices, all of which are as likely.
  private static func strength(_ bits: Double) -> String {
    let worth =
      if bits >= bitsForFast {
        "enough for any use"
      } else if bits >= bitsForSlow {
        "enough where each guess is slow, as for a passcode or passphrase of AtRest"
      } else {
        "enough only where the number of guesses is limited"
      }
    return "strength: \(Int(bits)) bits, \(worth)"
  }
}

/// Random numbers for choices.
enum RandomChoice {
  /// Returns a random number from 0 to a bound, each as likely as any other.
  ///
  /// - Parameter bound: 1 to 2^16.
  static func index(below bound: Int) -> Int {
    precondition((1...1 << 16).contains(bound))
    // Numbers of the last, incomplete round are drawn again.
    let most = 1 << 32 - (1 << 32) % bound
    while true {
      var number: UInt32 = 0
      withUnsafeMutableBytes(of: &number) { RandomBytes.fill($0) }
      if Int(number) < most { return Int(number) % bound }
    }
  }
}
