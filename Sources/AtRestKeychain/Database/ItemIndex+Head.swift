extension ItemIndex {
  /// The state of the store after a transaction.
  struct Head: Equatable {
    /// The number of the transaction.
    var counter: UInt64 = 0
    /// A random number of the transaction, which distinguishes two histories of one store.
    var salt: UInt64 = 0
    /// The number of items.
    var count: UInt64 = 0
    /// The number of the next item.
    var nextID: UInt64 = 1
    /// The identifier of the when-passcode-set class key whose items are in the database. 0 if
    /// there is no such key.
    var passcodeClassID: UInt64 = 0
    /// The number of the set of class keys under which the items are sealed.
    var keySet: UInt64 = 1

    static let width = 6
    var words: [UInt64] { [counter, salt, count, nextID, passcodeClassID, keySet] }

    init() {}

    init(_ words: ArraySlice<UInt64>) {
      let start = words.startIndex
      counter = words[start]
      salt = words[start + 1]
      count = words[start + 2]
      nextID = words[start + 3]
      passcodeClassID = words[start + 4]
      keySet = words[start + 5]
    }
  }
}
