/// A Swift file with most of the syntax that the language has and the rules examine.
enum SwiftSample {
  static let text = #"""
    import CommonCrypto
    import CoreData
    import UIKit
    import os

    let salt = "fixed-salt-0123"
    private let log = Logger(subsystem: "app", category: "login")

    protocol Storing: AnyObject {
      associatedtype Value
      func store(_ value: Value, under key: String) throws
    }

    enum Keys: String, CaseIterable {
      case pin = "user.pin", theme
      static let token = "access_token"
    }

    struct Card: Codable {
      var number: String
      var cvv: String?
      var expiry: (month: Int, year: Int) { (1, 2) }
    }

    @objcMembers final class LoginController: UIViewController, UITextFieldDelegate {
      @IBOutlet private weak var passwordField: UITextField!
      @IBOutlet var nameField: UITextField?
      lazy var session: URLSession = {
        let configuration = URLSessionConfiguration.default
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        return URLSession(configuration: configuration)
      }()
      var attempts = 0 {
        willSet { print("attempts", newValue) }
        didSet { if attempts > 3 { lock() } }
      }
      private(set) var cards: [Card] = []

      init?(name: String, cards: [Card] = []) {
        guard !name.isEmpty, let first = cards.first else { return nil }
        self.cards = [first] + cards.dropFirst()
        super.init(nibName: nil, bundle: nil)
      }

      required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

      override func viewDidLoad() {
        super.viewDidLoad()
        passwordField.isSecureTextEntry = true
        NotificationCenter.default.addObserver(
          forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
        ) { [weak self] _ in
          self?.lock()
        }
      }

      @IBAction func login(_ sender: Any?) {
        guard let name = nameField?.text, case let password? = passwordField.text else { return }
        let defaults = UserDefaults.standard
        defaults.set(password, forKey: Keys.pin.rawValue)
        defaults.set(name.lowercased(), forKey: "name")
        log.debug("login of \(name, privacy: .private) with \(password, privacy: .public)")
        #if DEBUG
          print("password: \(password)")
        #elseif os(iOS)
          NSLog("%@", name)
        #endif
        do {
          try save(token: "t-\(attempts)".data(using: .utf8) ?? Data())
        } catch let error as NSError where error.code == 3 {
          print(error.localizedDescription)
        } catch {
          attempts += 1
        }
        switch (name, password.count) {
        case ("root", 0..<4), (_, 0): lock()
        case let (user, length) where length > 8:
          UIPasteboard.general.string = password
          print(user)
        default: break
        }
      }

      func save(token: Data, accessible: CFString = kSecAttrAccessibleAlways) throws {
        var query: [String: Any] = [
          kSecClass as String: kSecClassGenericPassword,
          kSecAttrAccount as String: "token",
        ]
        query[kSecValueData as String] = token
        query[kSecAttrAccessible as String] = accessible
        let status = SecItemAdd(query as CFDictionary, nil)
        if status != errSecSuccess { throw NSError(domain: "keychain", code: Int(status)) }
      }

      func key(from password: String, rounds: UInt32 = 1000) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        let bytes = Array(password.utf8).map { Int8(bitPattern: $0) }
        _ = CCKeyDerivationPBKDF(
          CCPBKDFAlgorithm(kCCPBKDF2), bytes, bytes.count, salt, salt.count,
          CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), rounds, &key, key.count)
        return key
      }

      func store(_ card: Card, in context: NSManagedObjectContext) async throws -> Bool {
        let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("card.json")
        try JSONEncoder().encode(card).write(to: url, options: [.atomic])
        for index in stride(from: 0, to: 10, by: 2) where index != 4 {
          guard await Task { index > 2 }.value else { continue }
          dump(card)
        }
        repeat { attempts -= 1 } while attempts > 0
        return cards.contains { $0.number == card.number } ? true : !cards.isEmpty
      }

      private func lock() { defer { attempts = 0 }; view.isHidden = true }
    }

    extension LoginController: Storing {
      func store(_ value: String, under key: String) throws {
        let request = URLRequest(url: URL(string: "https://example.test/?password=\(value)")!)
        session.dataTask(with: request) { data, _, error in
          let size = data?.count ?? -1
          print("\(size) bytes", error as Any)
        }.resume()
      }

      subscript(index: Int) -> Card? { cards.indices.contains(index) ? cards[index] : nil }
    }
    """#
}
