import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import type { Price, Product, planOf } from './objects/catalogue.ts'
import type { CheckoutSession, lineItemsOf } from './objects/checkout-session.ts'
import type { Customer } from './objects/customer.ts'
import { API_VERSION, type PaymentEvent } from './objects/event.ts'
import type { Invoice } from './objects/invoice.ts'
import type { InvoiceLine } from './objects/invoice-line.ts'
import type { InvoicePayment, PaymentIntent, PaymentMethod } from './objects/payment.ts'
import type { PortalConfiguration, PortalSession } from './objects/portal.ts'
import type { Subscription, SubscriptionItem } from './objects/subscription.ts'

/** The SDK reads amounts that may have fractions from text into an object of its own. */
type OnTheWire<T> = T extends Stripe.Decimal
  ? string
  : T extends (infer U)[]
    ? OnTheWire<U>[]
    : T extends object
      ? { [K in keyof T]: OnTheWire<T[K]> }
      : T

type Fits<Theirs, Ours extends OnTheWire<Theirs>> = Ours

/** Each line compiles only while what the simulator prints is what the SDK says that it reads. */
export type Checked = [
  Fits<Stripe.Customer, Customer>,
  Fits<Stripe.Product, Product>,
  Fits<Stripe.Price, Price>,
  Fits<Stripe.Plan, ReturnType<typeof planOf>>,
  Fits<Stripe.Checkout.Session, CheckoutSession>,
  Fits<Stripe.LineItem, ReturnType<typeof lineItemsOf>[number]>,
  Fits<Stripe.Subscription, Subscription>,
  Fits<Stripe.SubscriptionItem, SubscriptionItem>,
  Fits<Stripe.Invoice, Invoice>,
  Fits<Stripe.InvoiceLineItem, InvoiceLine>,
  Fits<Stripe.InvoicePayment, InvoicePayment>,
  Fits<Stripe.PaymentIntent, PaymentIntent>,
  Fits<Stripe.PaymentMethod, PaymentMethod>,
  Fits<Stripe.BillingPortal.Configuration, PortalConfiguration>,
  Fits<Stripe.BillingPortal.Session, PortalSession>,
  Fits<Stripe.EventBase, PaymentEvent>,
]

// The types above are those of one version; an SDK that asks for another one needs another look.
test('the simulator prints the version that the SDK asks for', () => {
  assert.equal(new Stripe('sk_test_x').getApiField('version'), API_VERSION)
})
