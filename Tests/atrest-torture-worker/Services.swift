// On Apple's platforms these calls would reach the system's keychain.
#if !canImport(Darwin)
  import Foundation
  import Security

  /// A program that imports `Security` and chose no keychain. It saves one item and finds it again.
  struct Services {
    private let store: Store
    private let account: String
    private let identifier: String

    init(_ store: Store, _ arguments: [String]) throws {
      guard arguments.count == 2 else { throw Unusable("services … ACCOUNT IDENTIFIER") }
      self.store = store
      account = arguments[0]
      identifier = arguments[1]
    }

    func run() {
      setenv("ATREST_STORE", store.folder.path, 1)
      setenv("ATREST_DEVICE", store.deviceFolder.path, 1)
      setenv("ATREST_APPLICATION_IDENTIFIER", identifier, 1)
      let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "services",
        kSecAttrAccount: account,
      ]
      let added = SecItemAdd(item.merging([kSecValueData: Data()]) { $1 } as CFDictionary, nil)
      var result: CFTypeRef?
      let found = SecItemCopyMatching(
        item.merging([kSecReturnAttributes: true]) { $1 } as CFDictionary, &result)
      let group = (result as? [String: Any])?[kSecAttrAccessGroup as String] as? String
      say("\(added) \(found) \(group ?? "-")")
    }

    /// Stores an item, and then does so again, and reads the first one, after each line of input.
    func runAsWitness() {
      run()
      func item(_ account: String) -> [CFString: Any] {
        [
          kSecClass: kSecClassGenericPassword, kSecAttrService: "services",
          kSecAttrAccount: account,
        ]
      }
      var number = 0
      while readLine() != nil {
        number += 1
        let added = SecItemAdd(
          item("later \(number)").merging([kSecValueData: Data("x".utf8)]) { $1 } as CFDictionary,
          nil)
        let found = SecItemCopyMatching(
          item(account).merging([kSecReturnData: true]) { $1 } as CFDictionary, nil)
        say("\(added) \(found)")
      }
    }
  }
#endif
