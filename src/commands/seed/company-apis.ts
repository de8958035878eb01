import type { ApiInput } from '../../registry/apis/api.dto';

type Fields = Partial<Omit<ApiInput, 'name' | 'sunsetAt' | 'successorId'>>;

/** An API of the example company. */
export interface CompanyApi extends Fields {
  /** The name of its Organization. */
  readonly by: string;
  /** It ends with the last day of the month that is so many months from now. The successor is before it in the list. */
  readonly end?: { readonly inMonths: number; readonly successor: string };
  /** What other Organizations use it for, by their name. */
  readonly usedBy?: Readonly<Record<string, string>>;
}

/** By name. */
export const APIS: Readonly<Record<string, CompanyApi>> = {
  'Card Payments 2': {
    by: 'Payments',
    description: 'Takes card payments, at once or later, and says how they ended.',
    version: '2.3',
    lifecycleStatus: 'production',
    tags: ['cards', 'checkout', 'payments'],
    usedBy: { Finance: 'Daily reconciliation with the bank.' },
  },
  'Card Payments': {
    by: 'Payments',
    description: 'Takes card payments. Please move to Card Payments 2, which also takes them later.',
    version: '1.9',
    lifecycleStatus: 'deprecated',
    end: { inMonths: 4, successor: 'Card Payments 2' },
    tags: ['cards', 'checkout', 'payments'],
    usedBy: {
      Orders: 'Pays the carrier when a parcel leaves.',
      'Web Shop': 'Checkout. Moves to version 2 with the next large release.',
      'Fjord Freight': 'Customers who pay at the door.',
    },
  },
  Refunds: {
    by: 'Payments',
    description: 'Pays back a payment, in whole or in part.',
    version: '1.4',
    lifecycleStatus: 'production',
    tags: ['payments', 'returns'],
    usedBy: { Orders: 'Returns that have arrived.' },
  },
  'Payment Links': {
    by: 'Payments',
    description: 'A link by which somebody pays later, for orders by telephone.',
    version: '0.3',
    lifecycleStatus: 'development',
    isPublic: false,
    tags: ['payments'],
  },
  Orders: {
    by: 'Orders',
    description: 'Places, changes and cancels orders.',
    version: '5.2',
    lifecycleStatus: 'production',
    tags: ['orders'],
    usedBy: { 'Web Shop': 'Checkout, and the page “My orders”.', Finance: 'Turnover by month.' },
  },
  'Order Events': {
    by: 'Orders',
    description: 'A message for each step of an order. Each comes at least once, so keep the ids that you have seen.',
    version: '1.1',
    lifecycleStatus: 'production',
    definitionType: 'asyncapi',
    tags: ['events', 'orders'],
    usedBy: { 'Customer Accounts': 'What a customer has bought.', 'Fjord Freight': 'Plans the lorries of tomorrow.' },
  },
  'Delivery Slots': {
    by: 'Orders',
    description: 'When a parcel can come, for an address and a weight.',
    version: '0.8',
    lifecycleStatus: 'testing',
    tags: ['delivery'],
    usedBy: { 'Web Shop': 'Tries it in one city.' },
  },
  Returns: {
    by: 'Orders',
    description: 'Announces a return and prints its label. Tell us what you would need.',
    url: null,
    documentationUrl: null,
    definitionUrl: null,
    tags: ['delivery', 'returns'],
  },
  'Order Files': {
    by: 'Orders',
    description: 'Orders as files, once a night. Switched off; the address responds with 410.',
    version: '3.0',
    lifecycleStatus: 'deprecated',
    end: { inMonths: -1, successor: 'Orders' },
    definitionUrl: null,
    tags: ['files', 'orders'],
  },
  'Product Catalogue': {
    by: 'Product Data',
    description: 'Products with their texts, pictures and sizes, in eleven languages.',
    version: '4.0',
    lifecycleStatus: 'production',
    definitionType: 'graphql',
    tags: ['products'],
    usedBy: { 'Web Shop': 'All pages of products.', Orders: 'Names and sizes on the delivery note.' },
  },
  'Product Feed': {
    by: 'Product Data',
    description: 'All products in one XML document. The Product Catalogue has the same, and more, by request.',
    version: '2.6',
    lifecycleStatus: 'deprecated',
    end: { inMonths: 8, successor: 'Product Catalogue' },
    definitionType: 'wsdl',
    tags: ['files', 'products'],
    usedBy: { 'Fjord Freight': 'Weights and sizes.' },
  },
  Prices: {
    by: 'Product Data',
    description: 'Prices by country and currency, also those of tomorrow.',
    version: '2.2',
    lifecycleStatus: 'production',
    tags: ['prices', 'products'],
    usedBy: { 'Web Shop': 'Prices on all pages.', Finance: 'Margin reports.' },
  },
  'Stock Levels': {
    by: 'Product Data',
    description: 'How much of a product is there, by warehouse; a message for each change.',
    version: '1.7',
    lifecycleStatus: 'production',
    definitionType: 'asyncapi',
    tags: ['events', 'products', 'stock'],
    usedBy: { 'Web Shop': '“In stock” and “Only a few left”.', Orders: 'Chooses the warehouse.' },
  },
  'Customer Profiles': {
    by: 'Customer Accounts',
    description: 'Names, addresses and settings of customers. Personal data: tell us what you need it for.',
    version: '3.1',
    lifecycleStatus: 'production',
    acceptsConsumers: false,
    tags: ['customers', 'personal-data'],
    usedBy: { Orders: 'Addresses of parcels.', 'Web Shop': 'The page “My account”.' },
  },
  'Customer Search': {
    by: 'Customer Accounts',
    description: 'Finds customers by name. Customer Profiles can do this since 3.0.',
    version: '1.2',
    lifecycleStatus: 'deprecated',
    end: { inMonths: 1, successor: 'Customer Profiles' },
    tags: ['customers', 'personal-data', 'search'],
    usedBy: { Finance: 'Finds whom a payment without a number is from.' },
  },
  Consents: {
    by: 'Customer Accounts',
    description: 'What a customer has agreed to, and when.',
    version: '0.9',
    lifecycleStatus: 'testing',
    tags: ['customers', 'personal-data'],
  },
  'Search Suggestions': {
    by: 'Web Shop',
    description: 'What somebody may be looking for, after two letters.',
    version: '0.2',
    lifecycleStatus: 'development',
    tags: ['search'],
  },
  Ledger: {
    by: 'Finance',
    description: 'Books an entry. For our own programs only.',
    version: '6.0',
    lifecycleStatus: 'production',
    isPublic: false,
    tags: ['accounting'],
    usedBy: { Payments: 'Fees of the card companies.' },
  },
  Tracking: {
    by: 'Fjord Freight',
    description: 'Where a parcel is, and when it will be there.',
    version: '1.8',
    lifecycleStatus: 'production',
    tags: ['delivery', 'partners'],
    usedBy: { Orders: 'Messages to customers on the day of delivery.', 'Web Shop': 'The map on the page “My orders”.' },
  },
  'Shipment Booking': {
    by: 'Fjord Freight',
    description: 'Books a shipment, and returns its label as a PDF.',
    version: '3',
    lifecycleStatus: 'production',
    tags: ['delivery', 'partners'],
    usedBy: { Orders: 'Every parcel.' },
  },
};
