@_spi(Tools) import AtRestBus

/// A bus, as the Secret Service sees it: clients to which signals are sent.
protocol SignalHub: AnyObject, Sendable {
  /// Sends a signal to one client, whatever rules it has.
  func emit(_ signal: BusMessage, to name: String)
  /// Sends a signal to the clients that want it.
  ///
  /// - Parameter collection: The collection whose list of items they were given, or nil for all clients.
  func emit(_ signal: BusMessage, toThoseKnowingItemsOf collection: String?)
  /// Notes that a client was given the list of the items of a collection.
  func note(_ name: String, knowsItemsOf collection: String)
  /// True if a client was given the list of the items of a collection.
  func hasClient(knowingItemsOf collection: String) -> Bool
}

extension SignalHub {
  /// The number of collections of which one client is told the lists of items.
  static var mostCollections: Int { 64 }
}
