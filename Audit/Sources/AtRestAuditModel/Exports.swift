@_exported import AtRestNames
