/// Makes up texts of the forms of the table, for tests of the programs that look for them.
@_spi(Testing)
public struct SecretSample: Sendable {
  /// The row of the table, or the name of one of its ways to write the secret.
  public let name: String
  public let group: SecretForm.Group
  /// A word before the secret, which some forms need.
  public let before: String
  /// The secret.
  public let text: String
  public let isFound: @Sendable (SecretConsumer) -> Bool

  /// A text for each beginning of each token, each key, each issuer of cards, each country's accounts, and each
  /// way to write an identity number. The same texts in each run.
  public static let all: [SecretSample] = {
    var numbers = Numbers()
    return tokens(&numbers) + keys(&numbers) + cards(&numbers) + accounts(&numbers)
      + identities(&numbers)
  }()

  /// Numbers that look random and are the same in each run (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 42

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var number = state
      number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
      return number ^ number >> 31
    }

    mutating func text(_ count: Int, of characters: [UInt8]) -> String {
      String(
        decoding: (0..<count).map { _ in characters.randomElement(using: &self)! }, as: UTF8.self)
    }

    mutating func text(_ count: Int, of alphabet: TokenAlphabet) -> String {
      // Dots and slashes at the ends belong to the text around a token.
      let safe: TokenAlphabet =
        [.dotted, .path, .base64, .url].contains(alphabet) ? .alphanumeric : alphabet
      return text(count, of: (0...127).filter(safe.contains))
    }
  }

  private static let digits = Array("0123456789".utf8)
  private static let capitals = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  private static func tokens(_ numbers: inout Numbers) -> [SecretSample] {
    TokenForm.all.flatMap { form in
      form.prefixes.map { prefix in
        SecretSample(
          name: "\(form.name) \(prefix)", group: .tokens, before: "",
          text: prefix + numbers.text(form.exact.count.lowerBound, of: form.exact.alphabet),
          isFound: form.isFound)
      }
    }
  }

  private static func keys(_ numbers: inout Numbers) -> [SecretSample] {
    let body = numbers.text(64, of: .alphanumeric)
    let texts: [(KeyForm, String, String)] = [
      (.privateKey, "", "-----BEGIN " + "PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----"),
      // {"alg":"HS256"}
      (
        .webToken, "",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.\(numbers.text(43, of: .alphanumeric))"
      ),
      (.authorization, "Bearer ", "\(numbers.text(24, of: .alphanumeric))7"),
    ]
    return texts.map { form, before, text in
      SecretSample(name: form.name, group: .keys, before: before, text: text, isFound: form.isFound)
    }
  }

  private static func cards(_ numbers: inout Numbers) -> [SecretSample] {
    CardForm.all.flatMap { form in
      form.exact.map { count in
        let first = form.digits.prefix { $0.isNumber }
        let text = first + numbers.text(count - first.count - 1, of: digits)
        let last = (0...9).first { last in
          CardForm.passesLuhn(text.utf8.map { $0 - 0x30 } + [UInt8(last)])
        }
        return SecretSample(
          name: "\(form.issuer) \(count)", group: .cards, before: count < 15 ? "card " : "",
          text: text + "\(last ?? 0)", isFound: { $0 == .logs || $0 == .containers })
      }
    }
  }

  private static func accounts(_ numbers: inout Numbers) -> [SecretSample] {
    AccountForm.lengths.sorted { $0.key < $1.key }.compactMap { country, length in
      let rest = numbers.text(length - 4, of: digits)
      let text = (2...98).lazy.map { "\(country)\($0 < 10 ? "0" : "")\($0)\(rest)" }.first { text in
        Array(text.utf8).withUnsafeBufferPointer {
          AccountForm.end(in: $0, at: 0, loosely: false) != nil
        }
      }
      return text.map {
        SecretSample(
          name: "IBAN \(country)", group: .accounts, before: "", text: $0,
          isFound: { $0 == .logs || $0 == .containers })
      }
    }
  }

  private static func identities(_ numbers: inout Numbers) -> [SecretSample] {
    IdentityForm.all.flatMap { form in
      form.templates.map { template in
        var text = ""
        repeat {
          text = template.pattern.map { character in
            switch character {
            case "9": numbers.text(1, of: digits)
            case "A" where template.pattern.first != "9" || form.name.contains("DNI"):
              numbers.text(1, of: capitals)
            case "*": numbers.text(1, of: digits + capitals)
            default: String(character)
            }
          }.joined()
        } while Array(text.utf8).withUnsafeBufferPointer {
          IdentityForm.match(in: $0, at: 0)?.form.name != form.name
        }
        let isBare = template.strength == .none && !template.pattern.contains("-")
        return SecretSample(
          name: "\(form.name) \(template.pattern)", group: .identities,
          before: template.strength == .none ? "\(form.words[0]) " : "", text: text,
          isFound: { $0 == .containers || $0 == .logs && !isBare })
      }
    }
  }
}
