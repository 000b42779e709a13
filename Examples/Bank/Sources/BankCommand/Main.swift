import AtRest
import Bank
import Foundation

@main
struct Main {
  static let usage = """
    bank login NAME | logout | statements | cards | card add | card ENDING | payees | payee NAME
      | passport keep SCAN | passport show COPY | language [CODE] | report
    The folder is BANK_FOLDER or ~/.bank. The program prompts for secrets.
    """

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("bank: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: [String]) async throws {
    let folder = ProcessInfo.processInfo.environment["BANK_FOLDER"] ?? "\(NSHomeDirectory())/.bank"
    let keychain = try DefaultKeychain.get()
    if keychain.keybag.lockState != .unlocked {
      try await keychain.keybag.unlock(passcode: ask("Passcode of the store: "))
    }
    var options = Bank.options
    options.askPassphrase = { _ in ask("Passphrase: ") }
    let bank = try Bank(in: URL(fileURLWithPath: folder), keychain: keychain, options: options)
    if arguments.first == "login", arguments.count == 2 {
      _ = try await bank.logIn(arguments[1], password: ask("Password: "))
      return print("Welcome, \(arguments[1]).")
    }
    guard let customer = try bank.customer else { throw Failure(description: "Log in first.") }
    switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first) {
    case ("statements", nil, nil):
      for one in try await customer.statements() { print("\(one.month)  \(one.euros) €") }
    case ("cards", nil, nil): for ending in try customer.cards() { print("•••• \(ending)") }
    case ("card", "add", nil):
      try choosePassphrase(customer.account)
      try customer.addCard(text("Number: "), validUntil: text("Valid until: "))
    case ("card", let ending?, nil):
      let card = try customer.card(ending: ending)
      print("\(card.number), valid until \(card.validUntil)")
    case ("payees", nil, nil): for payee in try customer.payees() { print(payee) }
    case ("payee", let name?, nil): try customer.add(payee: name)
    case ("passport", "keep", let scan?):
      try choosePassphrase(customer.account)
      try customer.keepPassport(URL(fileURLWithPath: scan))
      print("The original scan is not encrypted. Delete it.")
    case ("passport", "show", let copy?): try customer.showPassport(URL(fileURLWithPath: copy))
    case ("language", nil, nil): print(try customer.language())
    case ("language", let code?, nil): try customer.choose(code)
    case ("report", nil, nil): print(try customer.account.report().page(.text))
    case ("logout", nil, nil): try await customer.logOut()
    default: throw Failure(description: usage)
    }
  }

  /// Asks for a new passphrase if none is set. The first card or passport needs a passphrase.
  static func choosePassphrase(_ account: Compartment) throws {
    guard try !account.hasPassphrase else { return }
    try account.setPassphrase(ask("Choose a passphrase that only you know: "))
  }

  /// Reads a secret from the terminal without echoing it, or from a pipe.
  static func ask(_ prompt: String) -> SecretBytes {
    guard isatty(0) == 1, let typed = getpass(prompt) else {
      return SecretBytes(utf8: readLine() ?? "")
    }
    defer { memset(typed, 0, strlen(typed)) }
    return SecretBytes(copying: UnsafeRawBufferPointer(start: typed, count: strlen(typed)))
  }

  static func text(_ prompt: String) -> String { String(copying: ask(prompt)) ?? "" }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
